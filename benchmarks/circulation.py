"""How long items travel: whole commands on many suites and on large sets, with their memory.

    python benchmarks/circulation.py [--other CHECKOUT]

Every figure is a command in a process of its own, next to a bare loop that decodes the same lines as JSON. With
`--other` the same commands run from another checkout too, side by side in one run: that is how before and after are
compared. Sets are made up; the schema version of each checkout is asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
RUN = "import sys; sys.argv[0] = 'referee'; from referee.cli.main import main; main()"
GENDERS = (("Er", "m"), ("Sie", "f"), ("Es", "n"))


def item(number: int, schema: int, prefix: str) -> dict[str, object]:
    """An item like those of ContraPro: a sentence of context, three candidates, a reference."""
    noun = f"{prefix}{number}"
    return {
        "schema": schema,
        "id": f"{prefix}-{number}",
        "task": "translate",
        "source_lang": "en",
        "target_lang": "de",
        "source": f"It stood on the table next to {noun}, and nobody had seen it before.",
        "source_context": [f"They had bought a cup for {noun} in the market that morning."],
        "target_context": [f"Sie hatten am Morgen auf dem Markt eine Tasse für {noun} gekauft."],
        "candidates": [
            {"text": f"{pronoun} stand neben {noun} auf dem Tisch.", "features": {"gender": gender, "pronoun": pronoun}}
            for pronoun, gender in GENDERS
        ],
        "gold": number % 3,
        "expected": [GENDERS[number % 3][0].lower()],
        "reference": f"{GENDERS[number % 3][0]} stand neben {noun} auf dem Tisch.",
        "group": f"{prefix}-{number // 2}",
        "label": GENDERS[number % 3][1],
        "distance": number % 4,
    }


def write_set(path: Path, items: int, schema: int, prefix: str = "x") -> Path:
    # Line by line: what this process has ever held counts in the memory of the commands that it starts.
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(item(number, schema, prefix), ensure_ascii=False)}\n" for number in range(items))
    return path


def measured(checkout: Path, *arguments: object) -> tuple[float, float]:
    """Seconds and peak memory in MB of a command."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "NO_COLOR": "1"}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        errors = process.stderr.read() if process.stderr else ""
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {errors[-500:]}")
    return seconds, usage.ru_maxrss / 1024


def schema_of(checkout: Path) -> int:
    code = "from referee.items import SCHEMA_VERSION; print(SCHEMA_VERSION)"
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    return int(subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True).stdout)


def bare_loop(path: Path) -> float:
    """Items per second of a loop that does nothing but decode."""
    start = time.perf_counter()
    with path.open("rb") as file:
        count = sum(1 for line in file if json.loads(line))
    return count / (time.perf_counter() - start)


def many_suites(checkout: Path, folder: Path, counts: list[int]) -> None:
    schema = schema_of(checkout)
    files = [write_set(folder / f"s{number:03d}.jsonl", 500, schema, f"s{number}x") for number in range(max(counts))]
    for count in counts:
        seconds, memory = measured(checkout, "eval", "command:cat", *files[:count], "--no-cache")
        print(f"  {count:4d} suites x 500 items, command:cat       {seconds:6.2f} s  {memory:5.0f} MB", flush=True)


def large_sets(checkout: Path, folder: Path, sizes: list[int]) -> None:
    schema = schema_of(checkout)
    for size in sizes:
        path = write_set(folder / f"{size}.jsonl", size, schema)
        scores = folder / "scores"
        with scores.open("w") as file:
            file.writelines(f"{(number * 7919) % 1000}\n" for number in range(3 * size))
        seconds, memory = measured(checkout, "eval", f"scores:{scores}", path)
        print(f"  {size:7d} items from a score file            {seconds:6.2f} s  {memory:5.0f} MB", flush=True)


def two_commands(checkout: Path, folder: Path, items: int) -> None:
    path = write_set(folder / "texts.jsonl", items, schema_of(checkout))
    lines = (
        f"Das war gestern. {GENDERS[number % 3][0]} stand auf dem Tisch, z. B. neben Dr. Weber."
        for number in range(items)
    )
    with (folder / "out").open("w") as file:
        file.writelines(f"{line}\n" for line in lines)
    bare = bare_loop(path)
    idle, _ = measured(checkout, "--version")
    for name, arguments in {
        "score --translations": ("score", path, "--translations", folder / "out"),
        "stats dataset": ("stats", "dataset", path),
    }.items():
        seconds, memory = measured(checkout, *arguments)
        rate = items / (seconds - idle)
        print(
            f"  {name:22s} {rate:7.0f} items/s (bare JSON loop {bare:7.0f})   {seconds:6.2f} s  {memory:5.0f} MB",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--other", type=Path, help="another checkout to measure first")
    parser.add_argument("--suites", type=int, nargs="+", default=[20, 40, 80])
    parser.add_argument("--sizes", type=int, nargs="+", default=[12_000, 50_000, 100_000])
    parser.add_argument("--items", type=int, default=20_000, help="items of the two text commands")
    arguments = parser.parse_args()
    for checkout in filter(None, (arguments.other, HERE)):
        print(f"{checkout.name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            many_suites(checkout, Path(folder), arguments.suites)
            large_sets(checkout, Path(folder), arguments.sizes)
            two_commands(checkout, Path(folder), arguments.items)


if __name__ == "__main__":
    main()
