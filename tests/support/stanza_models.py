"""Tiny French models of Stanza: trained for a few steps by its own programs, in a folder as a download leaves it."""

from __future__ import annotations

import json
from pathlib import Path

TREEBANK = """\
# text = Il parle du chat.
1\tIl\til\tPRON\tCL\tGender=Masc\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\tV\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\tP\t_\t5\tcase\t_\t_
4\tle\tle\tDET\tD\tDefinite=Def\t5\tdet\t_\t_
5\tchat\tchat\tNOUN\tN\tGender=Masc\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\tPONCT\t_\t2\tpunct\t_\t_

# text = Elle va au jardin.
1\tElle\til\tPRON\tCL\tGender=Fem\t2\tnsubj\t_\t_
2\tva\taller\tVERB\tV\t_\t0\troot\t_\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\tP\t_\t5\tcase\t_\t_
4\tle\tle\tDET\tD\tDefinite=Def\t5\tdet\t_\t_
5\tjardin\tjardin\tNOUN\tN\tGender=Masc\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\tPONCT\t_\t2\tpunct\t_\t_

"""
_PACKAGE = "tiny"


def labels(text: str, several: tuple[str, ...] = ("du", "au")) -> str:
    """What the tokenizer learns, one digit per character: 1 ends a token, 2 a sentence, 3 a multi-word token."""
    marks = ["0"] * len(text)
    start = 0
    for token in text.replace(".", " .").split():
        start = text.index(token, start)
        marks[start + len(token) - 1] = "3" if token in several else "1"
        start += len(token)
    marks[-1] = "2"
    return "".join(marks)


def write_models(folder: Path, work: Path) -> None:
    """Train the five models and write the list that Stanza expects."""
    from stanza.models import lemmatizer, mwt_expander, parser, tagger

    treebank = work / "tiny.conllu"
    treebank.write_text(TREEBANK, encoding="utf-8")
    common = ("--train_file", treebank, "--eval_file", treebank, "--output_file", work / "out.conllu")
    tiny = ("--hidden_dim", 16, "--shorthand", "fr_tiny")
    lang = ("--lang", "fr")
    steps = ("--max_steps", 4, "--eval_interval", 4, "--no_pretrain", "--word_cutoff", 0)

    def arguments(processor: str, *more: object) -> list[str]:
        place = ("--save_dir", folder / "fr" / processor, "--save_name", f"{_PACKAGE}.pt")
        (folder / "fr" / processor).mkdir(parents=True)
        return [str(argument) for argument in (*common, *place, *tiny, *more)]

    _train_tokenizer(folder / "fr" / "tokenize", work)
    mwt_expander.main(arguments("mwt", *lang, "--gold_file", treebank, "--num_epoch", 1, "--dict_only"))
    tagger.main(arguments("pos", *lang, *steps))
    lemmatizer.main(arguments("lemma", "--num_epoch", 1, "--dict_only"))
    parser.main(arguments("depparse", *lang, *steps))
    names = ("tokenize", "mwt", "pos", "lemma", "depparse")
    listed = {name: {_PACKAGE: {"md5": ""}} for name in names}
    resources = {"fr": {**listed, "packages": {"default": dict.fromkeys(names, _PACKAGE)}, "lang_name": "French"}}
    (folder / "resources.json").write_text(json.dumps(resources))


def _train_tokenizer(folder: Path, work: Path) -> None:
    from stanza.models import tokenizer

    lines = [line.removeprefix("# text = ") for line in TREEBANK.splitlines() if line.startswith("# text")]
    (work / "t.txt").write_text("\n\n".join(lines) + "\n\n", encoding="utf-8")
    (work / "t.label").write_text("\n\n".join(map(labels, lines)) + "\n\n", encoding="utf-8")
    (work / "t.json").write_text(json.dumps([[["du", ["de", "le"]], 1], [["au", ["à", "le"]], 1]]))
    folder.mkdir(parents=True)
    # fmt: off
    tokenizer.main([str(argument) for argument in (
        "--txt_file", work / "t.txt", "--label_file", work / "t.label", "--mwt_json_file", work / "t.json",
        "--dev_txt_file", work / "t.txt", "--dev_label_file", work / "t.label", "--lang", "fr",
        "--conll_file", work / "tok.conllu", "--shorthand", "fr_tiny", "--save_dir", folder, "--save_name",
        f"{_PACKAGE}.pt", "--steps", 600, "--eval_steps", 100, "--report_steps", 100, "--hidden_dim", 16,
        "--emb_dim", 8, "--rnn_layers", 1, "--device", "cpu",
    )])
    # fmt: on
