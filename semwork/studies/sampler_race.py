"""How fast does each sampler climb, and do its chains agree?

Samplers take turns on one core. The next sweep belongs to the one that has used the least time, and the clock of a
sampler runs only while it sweeps: seconds of two samplers can be compared, however many others are in the race and
whatever the machine does between sweeps. Threads would share cores, and the seconds of each would depend on the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import check_kind
from semwork.steps import Step
from semwork.studies import sampler_fields
from semwork.studies.sampler_paths import SamplerPath, SamplerRunner
from semwork.studies.settings import Settings, choice, real, seed, whole
from semwork.studies.study import Answer, Study
from semwork.studies.topic_tasks import SAMPLER_TASKS, SamplerTask
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.records import TopicStep
from semwork.topics.samplers import EXACT, SAMPLERS, SamplerName

__all__ = ["SamplerRace", "SamplerRaceSettings", "SamplerRaceStep"]


@dataclass(frozen=True, kw_only=True)
class SamplerRaceSettings(Settings):
    """Which samplers race, how they are set, and how long."""

    mh_steps: int = sampler_fields.mh_steps()
    refresh: int = whole(
        1, "table filled every … sweeps", "how stale may the table of alias and fast become?", 1, 1000,
        grid=(1, 2, 5, 10, 20),
    )  # fmt: skip
    freeze: bool = choice(
        True,
        "after burn-in the table is",
        "refreshed: as we read the paper, biased",
        {"frozen": True, "refreshed": False},
    )
    chains: int = whole(2, "chains", "of each sampler, with other seeds", 1, 4)
    samplers: tuple[str, ...] = sampler_fields.samplers(tuple(SAMPLERS))
    sweeps: int = whole(100, "sweeps at most", "a fifth of them is burn-in", 1, 100_000, grid=(20, 50, 100, 200, 400))
    # In a second nobody would get past burn-in on real data.
    seconds: float = real(
        1.0, "seconds of a chain at most", "by its own clock", 0.001, 3600,
        grid=(1.0, 2.0, 5.0, 10.0, 30.0, 60.0), at={"newsgroups": 10.0},
    )  # fmt: skip
    seed: int = seed("of the start: all samplers begin with the same topics")

    @property
    def burn_in(self) -> int:
        """Sweeps that do not count."""
        return self.sweeps // 5


@dataclass(frozen=True, kw_only=True)
class SamplerRaceStep(Step):
    """All samplers after one more sweep of one of them.

    Attributes
    ----------
    paths : tuple of SamplerPath
        Of the samplers that have swept at least once, in the order of `SAMPLERS`.
    tokens, n_topics : int
        Of the documents, and of the model.
    """

    paths: tuple[SamplerPath, ...]
    tokens: int
    n_topics: int

    def of(self, sampler: str) -> SamplerPath:
        """Return the path of one sampler.

        Parameters
        ----------
        sampler : str
            Its name, one of `SAMPLERS`.

        Returns
        -------
        SamplerPath
        """
        for path in self.paths:
            if path.sampler == sampler:
                return path
        raise KeyError(f"{sampler!r} has not swept yet; {', '.join(path.sampler for path in self.paths)} have")


@dataclass(frozen=True, eq=False)
class Climb(Answer):
    """The log-likelihood of every chain after every sweep."""

    curves: pd.DataFrame
    title: str


@dataclass(frozen=True, eq=False)
class ChainAgreement(Answer):
    """How many proposals are accepted, and whether chains agree."""

    samplers: tuple[str, ...]
    acceptance: pd.DataFrame
    checks: pd.DataFrame
    sweeps: int
    title: str


@dataclass(frozen=True, eq=False)
class Speeds(Answer):
    """How fast samplers are."""

    speeds: pd.DataFrame
    title: str


class SamplerRace(Study[SamplerRaceSettings, SamplerRaceStep]):
    """Samplers of one posterior side by side.

    Parameters
    ----------
    task : SamplerTask
        Documents, and the model whose samplers are compared.

    Examples
    --------
    >>> from semwork.steps import last
    >>> race = SamplerRace.on("planted")
    >>> end = last(race.steps(SamplerRaceSettings(samplers=("cholesky", "fast"), sweeps=8, seconds=60)))
    >>> race.table(end)[["sampler", "sweeps"]].to_dict("list")
    {'sampler': ['cholesky', 'fast'], 'sweeps': [8, 8]}
    """

    settings = SamplerRaceSettings
    inputs = {"data": SAMPLER_TASKS}

    def __init__(self, task: SamplerTask) -> None:
        check_kind(
            "task",
            task,
            SamplerTask,
            "make one with SamplerTask(data), or take one of the lessons: sampler_task('sample')",
        )
        self.task = task

    @property
    def facts(self) -> dict[str, Any]:
        """How many documents there are, and how many topics are sampled."""
        return {"documents": len(self.task.data), "topics": self.task.n_topics}

    def steps(self, settings: SamplerRaceSettings) -> Iterator[SamplerRaceStep]:
        """Run the samplers; a step is one sweep of every chain of one sampler.

        Chains of a sampler have different seeds and sweep one after the other; R-hat compares the halves of a single
        one. A sampler ends after so many sweeps, or when its chains have had so much time on average.
        """
        settings = settings.checked(self.facts)
        sampler_fields.check_some(settings.samplers, "no sampler is in the race")
        documents, most = self.task.drawn(settings.seed), settings.sweeps
        names = [name for name in SAMPLERS if name in settings.samplers]
        runners = [SamplerRunner(name, self._runs(name, documents, settings), settings.burn_in, most) for name in names]
        self._warm_up(names, documents)
        done, running = 0, list(runners)
        while running:
            runner = min(reversed(running), key=lambda one: one.seconds)  # of those at 0 the quick ones first
            runner.sweep()
            done += 1
            swept = [one for one in runners if one.told]
            yield SamplerRaceStep(
                done=done,
                total=most * len(runners),
                message=", ".join(f"{one.sampler} {len(one.told)}" for one in swept) + " sweeps",
                paths=tuple(one.path for one in swept),
                tokens=sum(map(len, documents)),
                n_topics=self.task.n_topics,
            )
            running = [one for one in running if len(one.told) < most and one.seconds < settings.seconds]

    def _runs(
        self, sampler: SamplerName, documents: list[list[str]], settings: SamplerRaceSettings
    ) -> list[Iterator[TopicStep]]:
        models = [
            GaussianLDA(
                self.task.n_topics,
                sampler,
                alpha=self.task.alpha,
                prior=self.task.prior,
                mh_steps=settings.mh_steps,
                burn_in=settings.burn_in,
                refresh=settings.refresh,
                freeze=settings.freeze,
                random_state=settings.seed + 1000 * chain,
            )
            for chain in range(settings.chains)
        ]
        return [model.steps(documents, self.task.data.vectors, max_sweeps=settings.sweeps) for model in models]

    def _warm_up(self, samplers: Sequence[SamplerName], documents: list[list[str]]) -> None:
        """Load or compile the samplers before any clock runs."""
        first = [document for document in documents if document][:1]
        for sampler in samplers:
            model = GaussianLDA(2, sampler, prior=self.task.prior, random_state=0, max_sweeps=1)
            model.fit(first, self.task.data.vectors)

    def table(self, step: SamplerRaceStep) -> pd.DataFrame:
        """Return one row per sampler: where it is now."""
        return pd.DataFrame(
            {
                "sampler": path.sampler,
                "sweeps": len(path.seconds),
                "seconds": path.seconds[-1],
                "tokens per second": path.speed,
                "log-likelihood": path.log_likelihood[:, -1].mean(),
                "acceptance": path.acceptance[-1],
                "R-hat": path.r_hat[-1] if len(path.r_hat) else np.nan,
                "ESS": path.ess[-1] if len(path.ess) else np.nan,
                "ESS per second": path.ess_per_second,
            }
            for path in step.paths
        )

    # --- questions --------------------------------------------------------------------------------------------------

    def climb(self, step: SamplerRaceStep) -> Climb:
        """Return the log-likelihood of every chain after every sweep, and the seconds until then."""
        chains = [(path, chain, values) for path in step.paths for chain, values in enumerate(path.log_likelihood)]
        curves = _stacked(
            [path.sampler for path, _, _ in chains],
            chain=[np.full(len(values), chain) for _, chain, values in chains],
            seconds=[path.seconds for path, _, _ in chains],
            sweep=[path.sweeps for path, _, _ in chains],
            log_likelihood=[values for _, _, values in chains],
        )
        best = max(step.paths, key=lambda path: path.log_likelihood[0, -1])
        title = f"{step.tokens:,} tokens, {step.n_topics} topics: {best.sampler} is highest now"
        return Climb(curves, title)

    def agreement(self, step: SamplerRaceStep) -> ChainAgreement:
        """Return the share of accepted proposals, where any are made, and R-hat and ESS along the sweeps."""
        asked = [path for path in step.paths if path.sampler not in EXACT]
        names = [path.sampler for path in step.paths]
        count = len(step.paths[0].log_likelihood)
        who = f"Do the {count} chains of a sampler agree?" if count > 1 else "Do the halves of a chain agree?"
        return ChainAgreement(
            tuple(names),
            _stacked(
                [path.sampler for path in asked],
                sweep=[path.sweeps for path in asked],
                acceptance=[path.acceptance for path in asked],
            ),
            _stacked(
                names,
                sweep=[path.checked for path in step.paths],
                r_hat=[path.r_hat for path in step.paths],
                ess=[path.ess for path in step.paths],
            ),
            max(len(path.seconds) for path in step.paths),
            f"{who} Below 1.01, the dashed line",
        )

    def speed(self, step: SamplerRaceStep) -> Speeds:
        """Return tokens per second, and effective draws per second where chains agree."""
        speeds = pd.DataFrame(
            {
                "sampler": path.sampler,
                "tokens_per_second": path.speed,
                "ess_per_second": np.nan if path.no_draws else path.ess_per_second,
                "instead": path.no_draws,
            }
            for path in step.paths
        )
        slow, quick = (order(step.paths, key=lambda path: path.speed) for order in (min, max))
        ratio = f": {quick.sampler} is {quick.speed / slow.speed:,.1f} times as fast as {slow.sampler}"
        return Speeds(speeds, f"Speed{ratio if slow is not quick else ''}")


def _stacked(samplers: Sequence[str], **columns: Sequence[NDArray[Any]]) -> pd.DataFrame:
    """One table of what belongs to several samplers; one without rows if there are none."""
    lengths = [len(part) for part in next(iter(columns.values()))]
    table = {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in columns.items()}
    return pd.DataFrame({"sampler": np.repeat(np.array(samplers, dtype=object), lengths), **table})
