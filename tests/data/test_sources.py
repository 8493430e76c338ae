from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path, PurePosixPath

import pytest

from referee.data.checksums import digest_of
from referee.data.sources import Source, all_sources, sources_for
from referee.errors import MissingError

ADDRESS = re.compile(
    r"https://(raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/[0-9a-f]{10,40}"
    r"|huggingface\.co/datasets/[\w.-]+/[\w.-]+/resolve/[0-9a-f]{40})/([\w./-]|%3A)+"
)
SETS = (
    "bawden-en-fr",
    "contracat",
    "contrapro-fr",
    "copa",
    "ctxpro",
    "enhanced-wsc",
    "scat-en-fr",
    "siqa",
    "winograd",
    "winograd-multilingual",
    "xcopa",
)
WITHOUT = {f"copa/{name}.en.jsonl" for name in ("train", "val", "test")} | {
    "ctxpro/RELEASE.tsv",
    "copa/balanced/balacopa-dev-all.xml",
    "copa/balanced/easy_hard_subsets.json",
}


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return list(all_sources().values())


def test_addresses_are_safe_and_pinned_to_a_commit(sources: list[Source]) -> None:
    assert [source.url for source in sources if not ADDRESS.fullmatch(source.url)] == []


def test_paths_stay_in_the_folder_and_are_plain(sources: list[Source]) -> None:
    for source in sources:
        path = PurePosixPath(source.path)
        assert not path.is_absolute()
        assert ".." not in path.parts
        assert str(path) == source.path
        assert path.suffix != ".gz"


def test_nothing_is_listed_twice(sources: list[Source]) -> None:
    groups = json.loads(resources.files("referee.data").joinpath("sources.json").read_bytes())
    paths = [group["folder"] + name for group in groups for name in group["files"]]
    assert len(paths) == len(set(paths)) == len(sources)
    assert len({source.url for source in sources}) == len(sources)


def test_checksums_have_their_form_and_come_with_a_size(sources: list[Source]) -> None:
    for source in sources:
        assert source.licence
        # A repository lists the blob ids of all its files, but not their sizes.
        assert source.blob or (source.sha256 is None) == (source.size is None)
        assert source.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", source.sha256)
        assert source.blob is None or re.fullmatch(r"[0-9a-f]{40}", source.blob)
        assert source.sha256 is None or source.blob is None


def test_every_file_of_the_ctxpro_release_and_of_its_paper_can_be_verified(sources: list[Source]) -> None:
    files = [source for source in sources if source.path.startswith(("ctxpro/release/", "ctxpro/paper/"))]
    assert len(files) == 300
    assert all(source.digest.is_known for source in files)
    assert len([source for source in files if source.blob]) == 184


def test_the_release_table_is_what_is_known_of_the_ctxpro_files(sources: list[Source], shared_data: Path) -> None:
    header, *rows = (shared_data / "ctxpro/RELEASE.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t")[:3] == ["path", "blob", "bytes"]
    by_path = {source.path: source for source in sources}
    for path, blob, size, *_ in (row.split("\t") for row in rows):
        source = by_path[f"ctxpro/{path}"]
        assert source.url.endswith(f"/9023459e68cda3a6a7d12f1341772c18e2e1ea96/{path}")
        assert source.size == (int(size) if size else None)
        if source.blob:
            assert source.blob == blob
        else:
            assert digest_of(shared_data / source.path, blob=True).blob == blob


def test_what_is_known_of_a_file_is_what_lies_in_the_data_folder(sources: list[Source], shared_data: Path) -> None:
    checked = 0
    for source in sources:
        if source.sha256:
            assert source.digest.mismatch(digest_of(shared_data / source.path)) is None, source.path
            checked += 1
    assert checked > 250


def test_every_file_of_the_sets_has_a_source_or_is_known_to_have_none(shared_data: Path) -> None:
    files = [path for name in SETS for path in (shared_data / name).rglob("*") if path.is_file()]
    files += (shared_data / "parallel" / "voita-consistency-en-ru").iterdir()
    paths = {str(path.relative_to(shared_data)).removesuffix(".gz") for path in files}
    assert paths - all_sources().keys() == WITHOUT


def test_sources_of_a_suite_are_picked_in_order(tmp_path: Path) -> None:
    wanted = ["xcopa/data/it/val.it.jsonl", "winograd/wsc/wsc.jsonl"]
    picked = sources_for(wanted, tmp_path)
    assert [source.path for source in picked] == wanted
    assert picked[0].url.endswith("/data/it/val.it.jsonl")
    assert picked[0].licence == "CC BY 4.0"


def test_a_name_that_differs_at_the_source() -> None:
    source = all_sources()["winograd-multilingual/wino-x/mt_wino_x.en-de.jsonl"]
    assert source.url.endswith("/data/mt/en_de_test.jsonl")
    assert source.sha256 is None


def test_a_file_without_a_public_source_must_be_put_there_by_hand(tmp_path: Path) -> None:
    name = "copa/balanced/balacopa-dev-all.xml"
    with pytest.raises(MissingError) as caught:
        sources_for([name], tmp_path)
    remedy = "Copy the file there yourself (`referee list suites --json` names the paper of each suite)."
    assert str(caught.value) == f"{tmp_path / name}: cannot be downloaded, since it has no public source. {remedy}"
    packed = tmp_path / (name + ".gz")
    packed.parent.mkdir(parents=True)
    packed.touch()
    assert sources_for([name], tmp_path) == ()
