"""An ablation as one HTML page, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from graphrank.ablation.compare import Scores, overall_differences
from graphrank.ablation.criteria import Correlations
from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Figures
from graphrank.report.compare import Difference
from graphrank.report.html import Details, Page, Section, configuration
from graphrank.report.tables import TextTable
from graphrank.reproduce.render.text import markdown_table

_LEAD = {
    "validation": "Validation figures, to choose by; no figure here is of test.",
    "test": "Test figures of the chosen variant and the reference, on seeds not chosen on.",
    "criteria": "Which of the things that need no label order variants as validation figures do.",
}


@dataclass(frozen=True)
class Document:
    """What an ablation says.

    Args:
        part: of what its figures are: validation, test, or criteria on validation.
        plan: what was run.
        figures: what was measured.
        scores: the same by task.
        tables: what is shown.
        closing: a sentence below the tables.
        then: the command that comes next.
        criteria: correlations, where they were asked for.
    """

    part: str
    plan: Plan
    figures: Figures
    scores: Sequence[Scores]
    tables: Sequence[TextTable]
    closing: str = ""
    then: str = ""
    criteria: Sequence[Correlations] = ()

    @property
    def title(self) -> str:
        """What it is about."""
        return self.plan.title or "Ablation"

    def page(self, command: str) -> Page:
        """The page, with every variant's whole configuration and how to measure it again."""
        sections = [Section(table.title, table=replace(table, title="")) for table in self.tables]
        details = [
            Details(f"Configuration of {name}", self._configuration(name))
            for name in self.plan.variants
        ]
        details.append(Details("Environment", next(iter(self.figures.values())).environment))
        if self.closing:
            then = (self.then,) * bool(self.then)
            sections.append(Section("What follows", _sentence(self.closing), commands=then))
        sections.append(Section("Configuration", details=tuple(details), commands=(command,)))
        return Page(self.title, _LEAD[self.part], sections)

    def markdown(self) -> str:
        """Tables, what follows from them, and the command that comes next."""
        parts = [f"# {self.title}", _LEAD[self.part], *map(markdown_table, self.tables)]
        if self.closing:
            parts.append(_sentence(self.closing))
        if self.then:
            parts.append(f"`{self.then}`")
        return "\n\n".join(parts) + "\n"

    def to_report(self) -> dict[str, Any]:
        """The form that ``--json`` writes: every figure with its difference, then the means."""
        report: dict[str, Any] = {
            "title": self.title,
            "part": self.part,
            "reference": self.plan.reference,
            "seeds": list(self.plan.seed_range),
            "figures": [_figure(each) for each in self._cells()],
            "mean_differences": [
                {"variant": name, "task": each.task, **_pair(each.mean_difference(name))}
                for each in self.scores
                for name in each.variants
                if name != each.reference
            ],
            "overall": {
                name: _pair(each) for name, each in overall_differences(self.scores).items()
            },
        }
        if self.criteria:
            report["criteria"] = [
                {**asdict(each), "mean": {name: each.mean(name) for name in each.rows}}
                for each in self.criteria
            ]
        return report

    def _configuration(self, variant: str) -> Mapping[str, str]:
        """Options of a variant on the first dataset and task."""
        found = [result for place, result in self.figures.items() if place.variant == variant]
        return configuration(found[0])

    def _cells(self) -> list[tuple[Scores, str, str]]:
        return [
            (each, variant, dataset)
            for each in self.scores
            for variant in each.variants
            for dataset in each.datasets
        ]


def _figure(cell: tuple[Scores, str, str]) -> dict[str, Any]:
    scores, variant, dataset = cell
    result = scores.result(variant, dataset)
    measured = {} if result is None else result.to_report()
    return {
        "variant": variant,
        **measured,
        "task": scores.task,
        "dataset": dataset,
        "difference": _pair(scores.difference(variant, dataset)),
    }


def _pair(difference: Difference | None) -> dict[str, float | None]:
    if difference is None:
        return {"mean": None, "error": None}
    return {"mean": difference.mean, "error": difference.error}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
