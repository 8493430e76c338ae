"""Sentences written for these tests, English and German, aligned by hand; words come again so that they can be learned.

The links that count are those of words: punctuation and what has no counterpart are left out on both sides.
"""

from __future__ import annotations

from referee.annotate.align.links import Link, read_pharaoh

_LINES = """
The dog sleeps . | Der Hund schläft . | 0-0 1-1 2-2
The cat sleeps . | Die Katze schläft . | 0-0 1-1 2-2
The horse sleeps here . | Das Pferd schläft hier . | 0-0 1-1 2-2 3-3
The dog eats the bread . | Der Hund frisst das Brot . | 0-0 1-1 2-2 3-3 4-4
The cat eats the fish . | Die Katze frisst den Fisch . | 0-0 1-1 2-2 3-3 4-4
The horse eats the apple . | Das Pferd frisst den Apfel . | 0-0 1-1 2-2 3-3 4-4
It is big . | Es ist groß . | 0-0 1-1 2-2
It is small . | Es ist klein . | 0-0 1-1 2-2
It sleeps . | Es schläft . | 0-0 1-1
He is big . | Er ist groß . | 0-0 1-1 2-2
He sleeps here . | Er schläft hier . | 0-0 1-1 2-2
He eats the bread . | Er isst das Brot . | 0-0 1-1 2-2 3-3
She is small . | Sie ist klein . | 0-0 1-1 2-2
She sleeps . | Sie schläft . | 0-0 1-1
She eats the apple . | Sie isst den Apfel . | 0-0 1-1 2-2 3-3
I see the dog . | Ich sehe den Hund . | 0-0 1-1 2-2 3-3
I see the cat . | Ich sehe die Katze . | 0-0 1-1 2-2 3-3
I see the horse . | Ich sehe das Pferd . | 0-0 1-1 2-2 3-3
I have seen the dog . | Ich habe den Hund gesehen . | 0-0 1-1 2-4 3-2 4-3
I have seen the horse . | Ich habe das Pferd gesehen . | 0-0 1-1 2-4 3-2 4-3
She has seen the cat . | Sie hat die Katze gesehen . | 0-0 1-1 2-4 3-2 4-3
He has bought the apple . | Er hat den Apfel gekauft . | 0-0 1-1 2-4 3-2 4-3
I have bought the bread . | Ich habe das Brot gekauft . | 0-0 1-1 2-4 3-2 4-3
Today the dog sleeps . | Heute schläft der Hund . | 0-0 1-2 2-3 3-1
Today the cat eats the fish . | Heute frisst die Katze den Fisch . | 0-0 1-2 2-3 3-1 4-4 5-5
Today I see the horse . | Heute sehe ich das Pferd . | 0-0 1-2 2-1 3-3 4-4
I bought the cup because it is small . | Ich kaufte die Tasse , weil sie klein ist . | 0-0 1-1 2-2 3-3 4-5 5-6 6-8 7-7
I bought the table because it is big . | Ich kaufte den Tisch , weil er groß ist . | 0-0 1-1 2-2 3-3 4-5 5-6 6-8 7-7
She bought the book because it is small . | Sie kaufte das Buch , weil es klein ist . | 0-0 1-1 2-2 3-3 4-5 5-6 6-8 7-7
He bought the cup because it is big . | Er kaufte die Tasse , weil sie groß ist . | 0-0 1-1 2-2 3-3 4-5 5-6 6-8 7-7
I see the table . | Ich sehe den Tisch . | 0-0 1-1 2-2 3-3
I see the book . | Ich sehe das Buch . | 0-0 1-1 2-2 3-3
The cup is here . | Die Tasse ist hier . | 0-0 1-1 2-2 3-3
The table is big . | Der Tisch ist groß . | 0-0 1-1 2-2 3-3
The book is small . | Das Buch ist klein . | 0-0 1-1 2-2 3-3
"""


def gold() -> list[tuple[list[str], list[str], set[Link]]]:
    """Source, target and the links between them."""
    pairs = []
    for line in _LINES.strip().splitlines():
        source, target, links = (part.strip() for part in line.split("|"))
        ours, theirs = source.lower().split(), target.lower().split()
        pairs.append((ours, theirs, set(read_pharaoh(links, len(ours), len(theirs)))))
    return pairs
