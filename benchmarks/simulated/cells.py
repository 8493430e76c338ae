"""The cells of the simulation: which models are put to which verdict, and what each word is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from simulated import against_chance, choices, demo, pairs, signals
from simulated.study import Cell, Role, Study

STUDIES: Mapping[str, Callable[..., Study]] = {
    "accuracy": against_chance.accuracy,
    "independence": against_chance.independence,
    "artifact": against_chance.artifact,
    "step": against_chance.step,
    "bias": choices.bias,
    "prior": choices.prior,
    "attack": pairs.attack,
    "comparison": pairs.comparison,
    "group comparison": pairs.group_comparison,
    "suites mean": pairs.suites_mean,
    "several runs": pairs.several_runs,
    "detectable": pairs.detectable,
    "trigger": signals.trigger,
    "generation": signals.generation,
    "written": signals.written,
    "demo": demo.demo,
}
ALARM: Role = "false alarm"
HOLDS: Role = "coverage"
POWER: Role = "power"
SHARE: Role = "share"


@dataclass(frozen=True)
class Size:
    """How much is simulated: the numbers of groups, the group sizes, what is within a group, and the models.

    `golds` are how the correct value is drawn and how often it is the rare one, `rates` how many items change.
    """

    groups: tuple[int, ...]
    sizes: tuple[str, ...]
    within: tuple[str, ...]
    shares: tuple[float, ...]
    golds: tuple[tuple[str, float], ...]
    rates: tuple[float, ...]
    power: tuple[int, ...] = (10, 20, 50, 200)

    @property
    def common(self) -> Size:
        """Fewer group sizes and correlations, for verdicts that share the method of the accuracy."""
        sizes = tuple(pattern for pattern in self.sizes if pattern not in ("3", "12"))
        within = tuple(kind for kind in self.within if kind in ("independent", "one 0.7", "whole"))
        return replace(self, sizes=sizes, within=within)


FULL = Size(
    (5, 10, 20, 50, 200, 1000),
    ("1", "2", "3", "6", "12", "mixed"),
    ("independent", "beta 0.3", "beta 0.7", "one 0.3", "one 0.7", "whole"),
    (0.02, 0.33, 0.5, 0.8, 0.95),
    (
        ("items", 0.02),
        ("items", 0.05),
        ("items", 0.1),
        ("items", 0.3),
        ("groups", 0.1),
        ("groups", 0.5),
        ("twins", 0.5),
    ),
    (0.02, 0.05, 0.1, 0.2),
)
QUICK = Size((10, 50), ("1", "6"), ("whole",), (0.5, 0.95), (("items", 0.05),), (0.05,), (20,))


def cells(size: Size) -> list[Cell]:
    """All cells of a size."""
    parts = (
        _coverage, _chance, _group_chance, _independence, _artifacts, _steps, _bias, _bias_power, _priors, _attacks,
        _comparisons, _other_lines, _detectable, _triggers, _generation, _written, _demo,
    )  # fmt: skip
    merged: dict[str, Cell] = {}
    for part in parts:
        for cell in part(size):
            known = merged.get(cell.key, cell)
            roles = {**known.roles, **cell.roles}
            merged[cell.key] = replace(known, roles=roles, name=known.name or cell.name, note=known.note or cell.note)
    return list(merged.values())


def _fewer(groups: int) -> float:
    """A part of the sets where each takes long."""
    return {200: 0.5, 1000: 0.2}.get(groups, 1.0)


def _shapes(size: Size, *, pairs_only: bool = False) -> Iterator[tuple[int, str, str]]:
    """Numbers of groups, their sizes, and what is within them; items that stand alone have nothing within."""
    for groups in size.groups:
        for sizes in size.sizes:
            if sizes == "1" and pairs_only:
                continue
            for within in size.within if sizes != "1" else ("independent",):
                yield groups, sizes, within


def _coverage(size: Size) -> Iterator[Cell]:
    for groups, sizes, within in _shapes(size):
        for share in size.shares:
            roles: dict[str, Role] = {"covered": HOLDS, "groups covered": HOLDS}
            if share == 0.8:
                roles["good"] = ALARM
            if share == 0.5:
                roles |= {"above": ALARM, "below": ALARM}
            settings = {"groups": groups, "sizes": sizes, "share": share, "within": within}
            yield Cell("accuracy", settings, roles)


def _chance(size: Size) -> Iterator[Cell]:
    """Models that guess, models 5 pp from chance (which are not at chance), and models that know something."""
    for groups, sizes, within in _shapes(size.common):
        for share, candidates in ((1 / 4, 4), (1 / 3, 3))[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "share": share, "within": within, "candidates": candidates}
            yield Cell("accuracy", settings, {"above": ALARM, "below": ALARM, "covered": HOLDS})
        settings = {"groups": groups, "sizes": sizes, "within": within}
        yield Cell("accuracy", settings | {"share": 0.55}, {"at": ALARM, "not_above": ALARM})
        yield Cell("accuracy", settings | {"share": 0.45}, {"at": ALARM})
        if (groups, sizes) == (5, "1"):
            continue
        # One of three genders is correct in 70% (of ten items or more), so chance is always choosing it.
        settings |= {"share": 0.7, "candidates": 3, "uneven": 0.7}
        yield Cell("accuracy", settings, {"above": ALARM, "below": ALARM})
    known = (
        ("80% correct, pairs, correlation 0.3", "2", 0.8, "beta 0.3", (50, 90, 100, 100)),
        ("65% correct, pairs, correlation 0.3", "2", 0.65, "beta 0.3", (11, 29, 71, 100)),
        ("65% correct, sixes, independent", "6", 0.65, "independent", (7, 64, 99, 100)),
    )
    for name, sizes, share, within, figures in known:
        for groups, figure in zip((10, 20, 50, 200), figures, strict=True):
            if groups in size.power:
                settings = {"groups": groups, "sizes": sizes, "share": share, "within": within}
                yield Cell("accuracy", settings, {"above": POWER, "covered": HOLDS}, name, figure)


def _group_chance(size: Size) -> Iterator[Cell]:
    """A guesser that is consistent within groups has its accuracy as its group score."""
    for groups, sizes, within in _shapes(size, pairs_only=True):
        for share, candidates in ((1 / 2, 2), (1 / 3, 3))[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "share": share, "within": within, "candidates": candidates}
            yield Cell("accuracy", settings, {"groups above": ALARM, "above": ALARM, "groups covered": HOLDS})


def _independence(size: Size) -> Iterator[Cell]:
    for groups, sizes, _ in _shapes(size, pairs_only=True):
        for share in size.shares:
            settings = {"groups": groups, "sizes": sizes, "share": share, "within": "independent"}
            roles: dict[str, Role] = {"apart": ALARM, "together": ALARM, "either": ALARM}
            yield Cell("independence", settings, roles, sets=_fewer(groups))
    known = (
        ("80% correct, pairs, correlation 0.3", "2", 0.0, (4, 8, 30, 95)),
        ("80% correct, sixes, correlation 0.3", "6", 0.0, (58, 86, 100, 100)),
        ("a heuristic in half of the pairs", "2", 0.5, (None,) * 4),
    )
    for name, sizes, heuristic, figures in known:
        for groups, figure in zip((10, 20, 50, 200), figures, strict=True):
            if groups in size.power:
                settings = {"groups": groups, "sizes": sizes, "share": 0.8, "within": "beta 0.3"}
                word = "apart" if heuristic else "together"
                settings |= {"heuristic": heuristic}
                yield Cell("independence", settings, {word: POWER}, name, figure, sets=_fewer(groups))


def _artifacts(size: Size) -> Iterator[Cell]:
    for groups, sizes, within in _shapes(size.common):
        settings = {"groups": groups, "sizes": sizes, "share": 0.5, "within": within}
        yield Cell("artifact", settings, {"above": ALARM})
        yield Cell("artifact", settings | {"baselines": 3}, {"cell above": ALARM}, sets=0.5)
        yield Cell("artifact", settings | {"share": 0.55}, {"not above": ALARM})
    for groups in size.power:
        settings = {"groups": groups, "sizes": "2", "share": 0.7, "within": "independent"}
        yield Cell("artifact", settings, {"above": POWER}, "70% correct, pairs, independent")


def _steps(size: Size) -> Iterator[Cell]:
    """All steps 5 pp above chance, which none fails; or one step at chance, so that not all pass."""
    for groups, sizes, within in _shapes(size.common):
        settings = {"groups": groups, "sizes": sizes, "within": within}
        yield Cell("step", settings | {"share": 0.55, "weak": 0.55}, {"fails": ALARM}, sets=_fewer(groups) / 2)
        yield Cell("step", settings | {"share": 0.95, "weak": 0.5}, {"passes": ALARM}, sets=_fewer(groups) / 2)
    for groups in size.power:
        settings = {"groups": groups, "sizes": "6", "within": "independent", "share": 0.95, "weak": 0.4}
        yield Cell(
            "step", settings, {"fails": POWER}, "40% correct in one step, sixes, independent", sets=_fewer(groups) / 2
        )


def _bias(size: Size) -> Iterator[Cell]:
    roles: dict[str, Role] = {"biased": ALARM, "covered": HOLDS}
    for groups, sizes, within in _shapes(size.common):
        if sizes == "mixed":
            continue
        for pattern, rare in size.golds:
            if sizes == "1" and pattern != "items":
                continue
            for share in (0.8, 0.95)[: len(size.rates)]:
                settings = {"groups": groups, "sizes": sizes, "share": share, "within": within}
                yield Cell("bias", settings | {"gold": pattern, "rare": rare}, roles, sets=_fewer(groups))
        settings = {"groups": groups, "sizes": sizes, "share": 0.8, "within": within, "gold": "items"}
        yield Cell("bias", settings | {"rare": 0.1, "values": 3}, {"biased": ALARM}, sets=_fewer(groups))
        settings |= {"rare": 0.5, "features": ("gender", "position")}
        yield Cell("bias", settings, {"cell biased": ALARM}, sets=_fewer(groups))


def _bias_power(size: Size) -> Iterator[Cell]:
    known = (
        ("bias of 30%, pairs, 80% correct, independent", "2", "independent", "twins", 0.5, (11, 30, 68, 100)),
        ("bias of 30%, pairs, 80% correct, together in 70%", "2", "one 0.7", "twins", 0.5, (7, 37, 92, 100)),
        ("bias of 30%, single items, gold 30%", "1", "independent", "items", 0.3, (0, 4, 28, 89)),
    )
    for name, sizes, within, gold, rare, figures in known:
        for groups, figure in zip((10, 20, 50, 200), figures, strict=True):
            if groups in size.power:
                settings = {"groups": groups, "sizes": sizes, "share": 0.8, "within": within, "gold": gold}
                roles: dict[str, Role] = {"biased towards it": POWER, "covered": HOLDS}
                settings |= {"rare": rare, "lean": 0.3}
                yield Cell("bias", settings, roles, name, figure, sets=_fewer(groups))
    for groups in size.groups:
        for share in (0.8, 0.95, 1.0)[: len(size.rates)]:
            # A bias of 10% in balanced pairs is 5 pp chosen beyond expectation.
            settings = {"groups": groups, "sizes": "2", "share": share, "within": "independent", "gold": "twins"}
            roles = {"none": ALARM, "covered": HOLDS}
            yield Cell("bias", settings | {"lean": 0.1}, roles, sets=_fewer(groups))


def _priors(size: Size) -> Iterator[Cell]:
    for groups, sizes, within in _shapes(size.common):
        for values in (2, 3)[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "within": within, "values": values}
            yield Cell("prior", settings, {"biased": ALARM, "covered": HOLDS}, sets=_fewer(groups))
            both = settings | {"features": ("gender", "position")}
            yield Cell("prior", both, {"cell biased": ALARM}, sets=_fewer(groups) / 2)
        # A lean of 10% among two is 5 pp beyond an even split.
        settings = {"groups": groups, "sizes": sizes, "within": within, "values": 2, "lean": 0.1}
        yield Cell("prior", settings, {"none": ALARM}, sets=_fewer(groups))
    for groups in size.power:
        settings = {"groups": groups, "sizes": "2", "within": "independent", "values": 3, "lean": 0.3}
        yield Cell("prior", settings, {"biased": POWER}, "prior of 30%, pairs, three genders", sets=_fewer(groups))


def _attacks(size: Size) -> Iterator[Cell]:
    for groups in size.groups:
        for sizes in size.sizes:
            for way in ("independent",) if sizes == "1" else ("independent", "together", "asymmetric"):
                shape = {"groups": groups, "sizes": sizes, "way": way}
                for rate in size.rates[::2]:
                    for count in (1, 3):
                        settings = shape | {"lost": rate, "won": rate, "count": count}
                        yield Cell("attack", settings, {"loses": ALARM, "covered": HOLDS}, sets=_fewer(groups) / count)
                yield Cell("attack", shape | {"lost": 0.05, "won": 0.0}, {"robust": ALARM, "covered": HOLDS})
                # No net loss, but a tenth of the correct answers break.
                yield Cell("attack", shape | {"lost": 0.08, "won": 0.08}, {"robust": ALARM, "loses": ALARM})
    for groups in size.power:
        settings = {"groups": groups, "sizes": "2", "way": "independent", "lost": 0.25, "won": 0.05}
        yield Cell("attack", settings, {"loses": POWER, "covered": HOLDS}, "25% lost, 5% recovered, pairs")


def _comparisons(size: Size) -> Iterator[Cell]:
    for groups in size.groups:
        for sizes in size.sizes:
            for way in ("independent",) if sizes == "1" else ("independent", "together", "asymmetric"):
                for rate in size.rates:
                    settings = {"groups": groups, "sizes": sizes, "way": way, "lost": rate, "won": rate}
                    yield Cell("comparison", settings, {"better": ALARM, "covered": HOLDS})
                settings = {"groups": groups, "sizes": sizes, "way": way, "lost": 0.02, "won": 0.07}
                yield Cell("comparison", settings, {"equal": ALARM, "covered": HOLDS})
    known = (
        ("5% lost, 25% won, pairs, independent", "2", "independent", (0, 24, 92, 100)),
        ("5% lost, 25% won, pairs, together", "2", "together", (3, 23, 67, 100)),
        ("5% lost, 25% won, sixes, independent", "6", "independent", (0, 35, 100, 100)),
    )
    for name, sizes, way, figures in known:
        for groups, figure in zip((10, 20, 50, 200), figures, strict=True):
            if groups in size.power:
                settings = {"groups": groups, "sizes": sizes, "way": way, "lost": 0.05, "won": 0.25}
                yield Cell("comparison", settings, {"better": POWER, "covered": HOLDS}, name, figure)


def _other_lines(size: Size) -> Iterator[Cell]:
    for groups in size.groups[:5]:
        for sizes in ("2", "6")[: len(size.rates)]:
            for within in ("independent", "whole")[: len(size.rates)]:
                settings = {"groups": groups, "sizes": sizes, "share": 0.8, "within": within}
                roles: dict[str, Role] = {"groups better": ALARM, "groups covered": HOLDS, "any better": ALARM}
                yield Cell("group comparison", settings, roles, sets=0.5)
                yield Cell("several runs", settings, {"any better": ALARM, "any row better": ALARM}, sets=0.2)
        for way in ("asymmetric", "together", "independent")[: len(size.rates)]:
            for shared in (False, True)[: len(size.rates)]:
                settings = {"groups": groups, "sizes": "2", "way": way, "lost": 0.05, "won": 0.05, "shared": shared}
                roles = {"mean better": ALARM, "mean covered": HOLDS}
                yield Cell("suites mean", settings, roles, sets=0.3)


def _detectable(size: Size) -> Iterator[Cell]:
    shapes = (("2", "independent"), ("2", "together"), ("6", "independent"), ("1", "independent"))
    for groups in size.groups[:5]:
        for sizes, way in shapes[: len(size.rates)]:
            for changes in size.rates[::2]:
                settings = {"groups": groups, "sizes": sizes, "way": way, "changes": changes}
                name = f"items change in {2 * changes:.0%}, groups of {sizes}, {way}"
                yield Cell("detectable", settings, {"found": POWER}, name, 81)


def _triggers(size: Size) -> Iterator[Cell]:
    for groups in size.groups:
        for sizes in ("6", "2", "1")[: len(size.rates)]:
            for triggers in (1, 2)[: len(size.rates)]:
                settings = {"groups": groups, "sizes": sizes, "triggers": triggers}
                roles: dict[str, Role] = {"more": ALARM, "less": ALARM, "more or less": ALARM}
                yield Cell("trigger", settings, roles, sets=_fewer(groups))
            # The mean rank of trigger words is then 0.55.
            yield Cell(
                "trigger", {"groups": groups, "sizes": sizes, "factor": 1.35}, {"equal": ALARM}, sets=_fewer(groups)
            )
    for groups in size.power:
        figure = {10: 57, 20: 77, 50: 93}.get(groups)
        settings = {"groups": groups, "sizes": "2", "factor": 2.0}
        yield Cell("trigger", settings, {"more": POWER}, "twice as salient, pairs", figure, sets=_fewer(groups))


def _generation(size: Size) -> Iterator[Cell]:
    shapes = (("2", "whole"), ("2", "independent"), ("6", "one 0.7"), ("1", "independent"))
    for groups in size.groups[:5]:
        for sizes, within in shapes[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "within": within}
            roles: dict[str, Role] = {"agrees": ALARM, "differs": ALARM, "covered": HOLDS}
            yield Cell("generation", settings | {"same": 0.9}, roles, sets=_fewer(groups))
            name = f"the same in 99%, groups of {sizes}, {within}"
            yield Cell("generation", settings | {"same": 0.99}, {"agrees": POWER, "covered": HOLDS}, name)


def _written(size: Size) -> Iterator[Cell]:
    for groups in size.groups[:5]:
        for sizes, within in (("2", "independent"), ("2", "whole"), ("6", "one 0.7"))[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "share": 0.8, "within": within}
            yield Cell("written", settings, {"biased": ALARM}, sets=0.4)
            yield Cell("written", settings | {"features": 3}, {"cell biased": ALARM}, sets=0.4)
    for groups in size.power[:3]:
        settings = {"groups": groups, "sizes": "2", "share": 0.8, "within": "independent", "lean": 0.3}
        yield Cell("written", settings, {"biased": POWER}, "bias of 30%, pairs, 80% correct, independent", sets=0.4)


def _demo(size: Size) -> Iterator[Cell]:
    """Three candidates, so chance is a third."""
    for groups in size.groups[:5]:
        for sizes, within in (("2", "whole"), ("1", "independent"), ("6", "one 0.7"))[: len(size.rates)]:
            settings = {"groups": groups, "sizes": sizes, "within": within}
            guess: dict[str, Role] = {"above chance": ALARM, "below chance": ALARM, "falls": ALARM, "covered": HOLDS}
            yield Cell("demo", settings | {"share": 1 / 3, "bare": 1 / 3}, guess, sets=0.2)
            yield Cell(
                "demo",
                settings | {"share": 1 / 3 + 0.05, "bare": 1 / 3},
                {"at chance": ALARM, "not above chance": ALARM},
                sets=0.2,
            )
            high: dict[str, Role] = {"nearly always": ALARM, "often wrong": ALARM, "falls to chance": ALARM}
            yield Cell("demo", settings | {"share": 0.9, "bare": 1 / 3 + 0.05}, high, sets=0.2)
            middle: dict[str, Role] = {"mostly": ALARM, "often incorrect": ALARM, "follows": ALARM, "not used": ALARM}
            yield Cell("demo", settings | {"share": 0.75, "bare": 0.7}, middle | {"covered": HOLDS}, sets=0.2)
