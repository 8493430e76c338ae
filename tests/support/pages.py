"""Pages to look at: template items with verdicts drawn at random, of one run or two, and one full of traps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import msgspec

from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.salience.record import Salience, Weight
from referee.analysis.scorecard import AgainstChance, Cell, NotMeasured, ScorecardRow
from referee.build.templates import open_templates
from referee.items import Candidate, Item, Span
from referee.reports.model import Chart, ItemEntry, ItemResult, Method, Scorecard, Section, Table
from referee.reports.page.html import Page
from referee.stats.levels import Against
from referee.verdicts import Verdict

SUITES = ("gender", "world-knowledge", "verb-overlap", "role-prior")


@cache
def template_items(name: str) -> list[Item]:
    return list(open_templates("de").items([name]))


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """Some of them, from everywhere."""
    return list(islice(items[:: max(1, len(items) // count)], count))


def with_source(item: Item, source: str) -> Item:
    """The same item on another sentence; what was marked in the old one goes."""
    return msgspec.structs.replace(item, source=source, spans=())


def scored(item: Item, chance: random.Random, *, sure: float = 1.5) -> Verdict:
    """Random scores that favour the correct candidate a little; sometimes all are tied."""
    scores = [
        round(chance.gauss(-12, 2), 4) + (sure if index == item.gold else 0) for index in range(len(item.candidates))
    ]
    if chance.random() < 0.03:
        scores = [max(scores)] * len(scores)
    best = max(scores)
    tied = scores.count(best) > 1
    choice = None if tied else scores.index(best)
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    correct = None if item.gold is None else choice == item.gold
    return Verdict(
        item=item.id, kind="contrastive", correct=correct, tied=tied, choice=choice, scores=tuple(scores), ranks=ranks
    )


def wrote(item: Item, chance: random.Random) -> Verdict:
    """The text of some candidate."""
    if chance.random() < 0.04:
        return Verdict(item=item.id, kind="generative", dropped="no expected form")
    choice = chance.randrange(len(item.candidates))
    correct = None if item.gold is None else choice == item.gold
    return Verdict(item=item.id, kind="generative", correct=correct, choice=choice, output=item.candidates[choice].text)


def weights(suite: str, item: Item, chance: random.Random) -> Salience:
    """A weight for every word of context and source; the last word is the trigger."""
    words = []
    for field, texts in (("source_context", item.source_context), ("source", (item.source,))):
        for index, text in enumerate(texts):
            start = 0
            for word in text.split(" "):
                last = field == "source" and start + len(word) == len(text)
                value = chance.gauss(0.02, 0.06) + (0.2 if last else 0)
                words.append(Weight(field, index, start, start + len(word), value, last))  # type: ignore[arg-type]
                start += len(word) + 1
    return Salience(suite, item.id, "er", chance.random(), tuple(words))


def entries(counts: int, runs: int, seed: int = 7) -> list[ItemEntry]:
    """As many items of each template; the first run also wrote, and some items have weights."""
    chance = random.Random(seed)
    gathered = []
    for name in SUITES:
        suite = f"templates/de/{name}"
        for number, item in enumerate(spread(template_items(name), counts)):
            results = []
            for run in range(runs):
                salience = weights(suite, item, chance) if number % 5 == 0 else None
                results.append(ItemResult(run, scored(item, chance, sure=1.5 + run), salience))
            if name == "gender":
                results.append(ItemResult(0, wrote(item, chance)))
            outcomes = {result.verdict.correct for result in results if result.verdict.kind == "contrastive"}
            gathered.append(ItemEntry(suite, item, results, flipped=len(outcomes) > 1))
    return gathered


def figure(value: float, interval: tuple[float, float], unit: str, grade: str) -> Cell:
    """A cell with whatever unit and grade; what it says fits the accuracy only."""
    outcome = AgainstChance(chance=ChanceLevel(1 / 3, "guess"), against=Against("below" if grade == "bad" else "above"))
    return Cell(outcome=outcome, value=value, interval=interval, unit=unit, grade=grade)  # type: ignore[arg-type]


def card(run: str, shift: float = 0.0) -> Scorecard:
    """Made-up lines with every grade and unit."""
    cells = {
        "accuracy": figure(0.812 + shift, (0.789, 0.834), "%", "good"),
        "groups": figure(0.478, (0.441, 0.512), "%", "fair"),
        "artifacts": figure(0.312, (0.281, 0.344), "pp", "good"),
        "attacks": figure(-0.213, (-0.251, -0.178), "pp", "bad"),
        "bias": figure(0.267, (0.214, 0.318), "r", "fair"),
        "trigger": figure(0.41, (0.29, 0.53), "d", "fair"),
        "written": figure(0.683, (0.611, 0.748), "%", "bad"),
    }
    none = {name: Cell(outcome=NotMeasured("not_perturbed", "phrase")) for name in ("attacks", "written")}
    second = cells | none | {"bias": figure(0.03, (-0.02, 0.08), "r", "good")}
    return Scorecard(
        run,
        [
            ScorecardRow(suite="templates/de/gender", kind="contrastive", items=3588, cells=cells),
            ScorecardRow(suite="templates/de/world-knowledge", kind="contrastive", items=5000, cells=second),
            ScorecardRow(
                suite="ctxpro/de/gender/test",
                kind="generative",
                rule="token",
                items=12000,
                cells={"accuracy": cells["accuracy"]},
            ),
        ],
    )


def methods() -> dict[str, Method]:
    names = {
        "accuracy": "Accuracy",
        "groups": "Whole groups",
        "artifacts": "Artifact baselines",
        "attacks": "Under attack",
        "bias": "Bias",
        "trigger": "Trigger importance",
        "written": "Scores and writing",
    }
    text = (
        "How this figure comes about, in two or three plain sentences that somebody reads who has not read the manual. "
        "It says what is counted, and over what.",
        "The interval is at 95 %: whole groups are drawn again, 1,000 times, with a fixed seed.",
    )
    return {name: Method(title, text) for name, title in names.items()}


def chart(title: str) -> Chart:
    """Bars in the colours of the page."""
    bars = "".join(
        f'<rect x="{60 + 90 * index}" y="{200 - height}" width="60" height="{height}" fill="var(--c{index + 1})"/>'
        f'<text x="{90 + 90 * index}" y="220" text-anchor="middle" fill="var(--soft)" font-size="13">{name}</text>'
        for index, (name, height) in enumerate([("masculine", 150), ("feminine", 75), ("neuter", 110), ("other", 30)])
    )
    axis = '<line x1="40" x2="430" y1="200" y2="200" stroke="var(--ink)"/>'
    chance = '<line x1="40" x2="430" y1="125" y2="125" stroke="var(--soft)" stroke-dasharray="4 4"/>'
    svg = f'<svg viewBox="0 0 460 230" width="460" height="230" role="img" aria-label="bars">{axis}{chance}{bars}</svg>'
    return Chart(title, svg, "How often each gender was chosen; the dashed line is the chance level.")


def accuracy_table(title: str) -> Table:
    rows = [
        ("all items", "3588", "81.2*", "78.9–83.4", "12", "+31.2"),
        ("  gender: m", "1196", "88.3", "77.8–94.2", "0", "-3.4"),
        ("  gender: f", "1196", "56.7", "44.1–68.4", "0", "-12.0"),
        ("  gender: n & rest", "1196", "98.3", "91.1–99.7", "0", "-1.5 to +2.0"),
    ]
    heads = ("", "items", "accuracy %", "95% CI", "ties", "change (pp)")
    return Table(
        title, heads, rows, note="Chance level 33.3%; * significantly above chance (p < 0.05). Ties count as errors."
    )


def summary_table() -> Table:
    heads = ("phenomenon", "items", "accuracy %", "95% CI", "baseline", "interpretation")
    rows = [
        ("Noun gender", "180", "99.4", "96.9–99.9", "33.3 chance", "above chance"),
        ("Antecedent choice, lexical overlap", "576", "44.4", "40.4–48.5", "50.0 either noun", "below chance"),
        ("  antecedent in the first clause", "288", "44.1", "38.5–49.9", "50.0 either noun", "below chance"),
        ("  group score", "72", "0.0", "0.0–5.1", "0.4 either noun", "at chance"),
        ("Prior: subject or object", "180", "none", "", "even split", "biased towards subject: 70.0%"),
    ]
    return Table("Pronoun resolution in German", heads, rows, left=(0, 4, 5))


def page(runs: Sequence[str] = ("pocket",), count: int = 60, shown: Sequence[ItemEntry] | None = None) -> Page:
    """An ordinary page."""
    wide = Table(
        "a table that is wider than any phone",
        tuple(f"column {index}" for index in range(16)),
        [tuple(f"{row * index / 7:.3f}" for index in range(16)) for row in range(4)],
    )
    return Page(
        title="Pronoun resolution of the pocket translator",
        lead=(
            "It gets noun gender right (99.4%) until the article disappears (33.9%). With two candidate antecedents it "
            "does worse than picking either at random (44.4%; group score 0.0%)."
        ),
        runs=runs,
        opening=replace(chart("Accuracy and group score by phenomenon"), wide=chart("the same, drawn wide").svg),
        scorecards=[card(run, -0.05 * index) for index, run in enumerate(runs)],
        methods=methods(),
        summary=[summary_table()],
        notes=(
            "accuracy: how often the correct translation got the best score.",
            "95% CI: the wider of two.",
        ),
        sections=[
            Section(
                title="Noun gender",
                about="Three translations differ in one pronoun; only one agrees with the antecedent.",
                command="referee eval pocket templates/de/gender --context 1 --out runs/gender",
                signature="templates/de/gender#a1eb17ec(180)|model:pocket#3025335b|resamples:1000|seed:12345",
                tables=[accuracy_table("templates/de/gender"), wide],
                charts=[chart("Chosen genders"), chart("Correct genders")],
            ),
            Section(title="Antecedent choice", tables=[accuracy_table("templates/de/verb-overlap")]),
        ],
        entries=entries(count, len(runs)) if shown is None else shown,
        footer="referee 0.1.0; every item with its verdict is in runs/gender.",
    )


TRAPS = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    '"><svg onload=window.hacked=1>',
    "' onmouseover='window.hacked=1' x='",
    "javascript:window.hacked=1",
    "{{ 7*7 }}{% raw %}${7*7}",
    "</style></title></textarea></noscript><!--<h1>big</h1>-->",
    "__proto__",
    "constructor",
    "&lt;b&gt; &amp; &#60;",
)
BIDI = "מזל \u202eabc\u202c \u2066x\u2069\u2069 العربية"
CONTROLS = "null \x00 bell \x07 del \x7f nel \x85 return \r line \u2028 half \ud800 end"
LONG = "w" * 1500


def trapped_cell(text: str) -> Cell:
    """A cell whose sentence holds a text of strangers: the name of a perturbation, or of a feature and its value."""
    prior = Prior(
        label=text,
        feature=text,
        items=30,
        neither=0,
        undecided=0,
        value=text,
        share=0.9,
        interval=(0.8, 1.0),
        even=0.5,
        p=0.001,
        outcome="biased",
        more_groups=None,
    )
    return Cell(outcome=prior, value=0.5)


def hostile() -> Page:
    """Every text of the page is a trap: markup, code, directions, controls, halves of characters, endless words."""
    texts = (*TRAPS, BIDI, CONTROLS, LONG)
    return Page(
        title=" ".join(texts[:-1]),
        lead=BIDI + "".join(TRAPS),
        runs=[TRAPS[0], BIDI],
        scorecards=[
            Scorecard(
                TRAPS[1],
                [
                    ScorecardRow(suite=text, kind="contrastive", items=3, cells={"artifacts": trapped_cell(text)})
                    for text in texts
                ],
            )
        ],
        methods={
            "accuracy": Method(TRAPS[3], texts),
            TRAPS[0]: Method(TRAPS[1], texts),
            "__proto__": Method("x", ["y"]),
        },
        summary=[Table(TRAPS[0], texts, [texts, tuple(f"={text}" for text in texts)], note=CONTROLS)],
        notes=texts,
        sections=[
            Section(
                text,
                about=text,
                command=text,
                signature=text,
                tables=[Table(text, (text, text), [(text, text)], note=text)],
            )
            for text in texts
        ],
        entries=[entry for index, text in enumerate(texts) for entry in _trapped(index, text)],
        footer=TRAPS[7],
    )


def _trapped(index: int, text: str) -> list[ItemEntry]:
    end = len(text)
    item = Item(
        id=f"{text}{index}",
        task="translate",
        source_lang="he",
        target_lang="ar",
        source=text,
        source_context=(text, BIDI),
        target_context=(text,),
        question=text,
        candidates=(Candidate(text, {text: text, "__proto__": text}), Candidate(f"{text}!", {"gender": text})),
        gold=0,
        reference=text,
        expected=(text,),
        group=text,
        label=text,
        distance=3,
        features={text: text, "constructor": text},
        spans=(
            Span(text, "source", 0, end),
            Span("pronoun", "source", 0, max(1, end // 2)),
            Span("antecedent", "source", end // 3, end),
            Span("pronoun", "source", 0, end),
            Span(text, "candidate", 0, 1),
        ),
    )
    scores = Verdict(
        item=item.id, kind="contrastive", correct=False, choice=1, scores=(float("-inf"), float("nan")), ranks=(2, 1)
    )
    output = Verdict(item=item.id, kind="generative", correct=True, choice=0, output=text, found={"paper": True})
    dropped = Verdict(item=item.id, kind="contrastive", dropped=text)
    shading = Salience(
        text, item.id, text, 0.5, (Weight("source", 0, 0, end, 0.4, True), Weight("source", 9, -4, 10**6, 1.0))
    )
    return [
        ItemEntry(
            text, item, [ItemResult(0, scores, shading), ItemResult(0, output), ItemResult(1, dropped)], flipped=True
        ),
        ItemEntry("plain", item, [ItemResult(1, output)]),
    ]
