"""The annotators, resolvers and aligners of the package: what each needs, its languages, its quality, its licence.

Quality orders the tools that can be chosen automatically; the measured ones are in docs/annotation.md. Tools whose
weights must be downloaded first, or whose licence forbids commercial use, are opened by name only.
"""

from __future__ import annotations

from referee.annotate.registry import Package, Tool

POCKET_LANGUAGES = ("en", "de", "es", "fr", "it", "pl", "pt", "ru")

_SPACY = Package("spacy", "spacy")

ANNOTATORS = (
    Tool(
        "pocket",
        "pocket[:core]",
        "bundled annotator (core: without lexicons of other packages)",
        "referee.annotate.pocket.annotator:open_pocket",
        languages=POCKET_LANGUAGES,
        quality=50,
    ),
    Tool(
        "spacy",
        "spacy:NAME|FOLDER",
        "spaCy pipeline, installed or in a folder",
        "referee.annotate.spacy:open_spacy",
        needs=(_SPACY,),
        choices="referee.annotate.spacy:installed",
        licence="MIT; pipelines have their own",
        get="pip install 'referee[extract]'",
        get_models="python -m spacy download NAME",
    ),
    Tool(
        "stanza",
        "stanza:LL",
        "Stanza models that were downloaded before",
        "referee.annotate.stanza:open_stanza",
        needs=(Package("stanza", "stanza"),),
        choices="referee.annotate.stanza:installed",
        licence="Apache 2.0; models have their own",
        get="pip install stanza",
        get_models="python -c \"import stanza; stanza.download('LL')\"",
    ),
)

RESOLVERS = (
    Tool(
        "pocket",
        "pocket",
        "bundled resolver of English pronouns",
        "referee.annotate.resolve.pocket:open_pocket",
        languages=("en",),
        quality=50,
    ),
    Tool(
        "fastcoref",
        "fastcoref[:NAME|FOLDER]",
        "FCoref and LingMess",
        "referee.annotate.resolve.fastcoref:open_fastcoref",
        needs=(Package("fastcoref", "fastcoref"),),
        languages=("en",),
        licence="MIT",
        get="pip install fastcoref 'transformers<5' 'datasets<4'",
    ),
    Tool(
        "maverick",
        "maverick[:NAME|FILE]",
        "Maverick",
        "referee.annotate.resolve.maverick:open_maverick",
        needs=(Package("maverick", "maverick-coref"),),
        languages=("en",),
        licence="CC BY-NC-SA 4.0: not for commercial use",
        get="pip install maverick-coref",
    ),
    Tool(
        "coreferee",
        "coreferee:PIPELINE",
        "Coreferee in a spaCy pipeline",
        "referee.annotate.resolve.coreferee:open_coreferee",
        needs=(_SPACY, Package("coreferee", "coreferee")),
        languages=("en", "de", "fr", "pl"),
        licence="MIT",
        get="pip install coreferee && python -m coreferee install en",
    ),
)

ALIGNERS = (
    Tool(
        "pocket",
        "pocket[:adapt]",
        "bundled aligner; adapt: learns from the pairs of each call",
        "referee.annotate.align.pocket:open_pocket",
        quality=50,
    ),
    Tool(
        "eflomal",
        "eflomal",
        "eflomal, trained on the pairs it aligns",
        "referee.annotate.align.eflomal:open_eflomal",
        needs=(Package("eflomal", "eflomal"),),
        quality=40,
        licence="GPL 3.0",
        get="pip install 'referee[eflomal]'",
    ),
    Tool(
        "simalign",
        "simalign[:NAME|FOLDER]",
        "SimAlign: vectors of a multilingual encoder",
        "referee.annotate.align.simalign:open_simalign",
        needs=(Package("simalign", "simalign"),),
        licence="MIT",
        get="pip install simalign",
    ),
    Tool(
        "awesome-align",
        "awesome-align[:NAME|FOLDER]",
        "awesome-align: vectors of a fine-tuned encoder",
        "referee.annotate.align.awesome:open_awesome",
        needs=(Package("transformers", "transformers"),),
        licence="BSD 3-Clause",
        get="pip install 'referee[hf]'",
    ),
    Tool(
        "pharaoh",
        "pharaoh:FILE",
        "alignment from a file, one line per pair: 0-0 1-2",
        "referee.annotate.align.pharaoh:open_pharaoh",
    ),
)
