"""The contract of every self-supervised method, which is a scikit-learn-like estimator as well.

A method declares its options as annotated dataclass fields and says three things: which modules
it has (:meth:`Method.build`), how one step of training computes its loss (``training_step``, see
:class:`~graphrank.methods.trained.TrainedMethod`), and how the clean graph becomes embeddings
(:meth:`Method.encode`). Loading, devices, seeds, the loop, checkpoints and files live outside it,
once for all methods.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from graphrank.data import fingerprint, without_labels
from graphrank.errors import ConfigError, ModelError, unknown_name
from graphrank.memory import kept_memory
from graphrank.methods.experiments import AUTHORS, AUTO, settings_for
from graphrank.methods.feature_scaling import FeatureScaling, measure_scaling, scale
from graphrank.methods.info import MethodInfo
from graphrank.methods.inputs import node_graph
from graphrank.methods.matching import match_features
from graphrank.methods.options import Option, check_options, option_rows, values_before
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.scaling import ColumnScaling
from graphrank.training.checkpoint import StoredModel, read_model, write_model
from graphrank.training.collapse import warn_if_collapsed
from graphrank.training.device import is_usable, resolve_device
from graphrank.training.history import History
from graphrank.training.loop import Run
from graphrank.training.randomness import seeded

_log = logging.getLogger("graphrank")

ModuleT = TypeVar("ModuleT", bound=nn.Module)


@dataclass(kw_only=True, eq=False, repr=False)
class Method(ABC, Generic[ModuleT]):
    """Base of all methods that turn a graph without labels into embeddings.

    After :meth:`fit`: ``embedding_`` ``[nodes, channels]``, ``history_``, ``module_``.
    """

    info: ClassVar[MethodInfo]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    # Tasks that the authors have other settings for than for the rest, and the preset of these.
    task_presets: ClassVar[Mapping[str, str]] = {}
    # Whether dot products of embeddings are the similarity that the method defines: a kernel.
    dot_product_is_kernel: ClassVar[bool] = False

    seed: Annotated[int, Option("seed of everything random", low=0, high=2**32 - 1)] = 0
    device: Annotated[str, Option("auto, cpu, cuda or cuda:N")] = "auto"
    scale_features: FeatureScaling = "auto"

    def __post_init__(self) -> None:
        check_options(type(self), self.get_params())

    # -- what a method says of itself -------------------------------------------------------

    @abstractmethod
    def build(self, num_features: int) -> ModuleT:
        """Make the modules from shapes alone, with fresh weights from the global random state."""

    @abstractmethod
    def encode(self, module: ModuleT, graph: GraphInput) -> Tensor:
        """Embed the clean graph: ``[nodes, channels]``, called without gradients."""

    def learn(self, module: ModuleT, graph: GraphInput, run: Run) -> History:
        """Fit ``module`` to the graph; controls that learn nothing leave it as it is."""
        return History()

    def embed(self, module: ModuleT, graph: GraphInput) -> Tensor:
        """:meth:`encode` in evaluation mode, without gradients or traces in the random state."""
        module.eval()
        with torch.no_grad(), seeded(self.seed, graph.device):
            return self.encode(module, graph).cpu()

    # -- scikit-learn's habits ---------------------------------------------------------------

    @classmethod
    def from_preset(
        cls,
        preset: str,
        settings: Mapping[str, Any] | None = None,
        *,
        dataset: str | None = None,
    ) -> Self:
        """A method with the options of a named preset, ``settings`` on top of them.

        Args:
            preset: ``default``, one of :attr:`presets`, or ``authors``: what the method's authors
                set for the dataset, or its defaults where they say nothing of it; ``auto`` is the
                same but where their settings take hours and the defaults do not.
            settings: options by name.
            dataset: name of the dataset, on which presets may have other options.
        """
        presets = ("default", AUTO, AUTHORS, *cls.presets)
        if preset not in presets:
            raise ConfigError(unknown_name(f"preset of {cls.info.name}", preset, presets))
        chosen = {**settings_for(cls, preset, dataset), **(settings or {})}
        check_options(cls, chosen)
        return cls(**chosen)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All options by name."""
        return {name: getattr(self, name) for name in option_rows(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Change options; an unknown name or an unfit value changes nothing and is an error."""
        check_options(type(self), params)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def fit(
        self,
        data: Any,
        y: None = None,
        *,
        run: Run | None = None,
    ) -> Self:
        """Learn embeddings of a graph, without its labels.

        Args:
            data: a PyG ``Data``, a networkx graph, a SciPy adjacency matrix, a path or the name
                of a dataset; anything :func:`graphrank.load` takes.
            y: ignored; there for scikit-learn's pipelines.
            run: where to save checkpoints, whether to resume, what to call after each epoch.
        """
        run = run or Run()
        graph = self._prepare(data)
        self._train(graph, run)
        self.embedding_ = self.embed(self.module_, graph)
        self._look_for_collapse(self.embedding_)
        return self

    def transform(self, data: Any) -> Tensor:
        """Embed a graph, seen or unseen, with the fitted model: ``[nodes, channels]``."""
        graph = self._known_input(data)
        return self.embed(self.module_, graph)

    def fit_transform(self, data: Any, y: None = None) -> Tensor:
        """Fit to a graph and return its embeddings."""
        return self.fit(data).embedding_

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted model to a directory (safetensors and JSON, no pickle)."""
        self._check_fitted()
        write_model(Path(path), self, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote; one trained on a GPU loads where there is none."""
        stored = read_model(Path(path))
        if stored.method != cls.info.name:
            raise ModelError(
                f"{path} holds a model of {stored.method!r}, not of {cls.info.name!r}; "
                "read it with graphrank.load_model"
            )
        check_options(cls, stored.params)
        model = cls(**{**values_before(cls), **stored.params})
        if not is_usable(model.device):
            model.set_params(device="auto")
        model._restore(stored)
        return model

    def __repr__(self) -> str:
        rows = option_rows(type(self))
        changed = {k: v for k, v in self.get_params().items() if v != rows[k].default}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    # -- inside ------------------------------------------------------------------------------

    def _prepare(self, data: Any) -> GraphInput:
        """What training computes on; what it needs to know of other graphs is remembered."""
        visible = without_labels(node_graph(data))
        self.scaling_ = self._measure_scaling(visible.x)
        self.feature_names_: list[str] | None = visible.get("feature_names")
        self.feature_source_: str = visible.get("feature_source", "given")
        self.num_features_ = visible.num_features
        self.fingerprint_ = fingerprint(visible)
        return self._input(visible)

    def _train(self, graph: GraphInput, run: Run) -> None:
        """Build the modules, fit them, and keep them where the run says."""
        with kept_memory(), seeded(self.seed, graph.device):
            self.module_: ModuleT = self.build(graph.num_features).to(graph.device)
            self.history_ = self.learn(self.module_, graph, run)
        if run.directory is not None:
            write_model(run.directory, self, overwrite=True, keep_training=True)

    def _restore(self, stored: StoredModel) -> None:
        """Take over what a fit would have left, from a model directory."""
        self.num_features_ = stored.num_features
        self.feature_names_ = stored.feature_names
        self.feature_source_ = stored.feature_source
        self.fingerprint_ = stored.fingerprint
        self.history_ = stored.history
        self.scaling_ = stored.scaling
        with seeded(0, torch.device("cpu")):
            self.module_ = self.build(stored.num_features)
        stored.restore(self.module_)
        self.module_.to(resolve_device(self.device))

    def _known_input(self, data: Any) -> GraphInput:
        """A graph, seen or unseen, with the features that the model was trained on."""
        self._check_fitted()
        graph = match_features(node_graph(data), self)
        if graph.num_features != self.num_features_:
            raise ModelError(
                f"the model was trained on {self.num_features_} features and this graph has "
                f"{graph.num_features}; give it the same feature columns"
            )
        seen = self.fingerprint_.startswith(fingerprint(graph))  # labels may have added theirs
        if self.feature_source_ == "structural" and not seen:
            _log.warning(
                "the model was trained on structural features of another graph: positions in one "
                "graph say little about another, give node features to compare graphs"
            )
        return self._input(graph)

    def _measure_scaling(self, x: Tensor) -> ColumnScaling | None:
        return measure_scaling(self.scale_features, x)

    def _scaled(self, x: Tensor) -> Tensor:
        """Features of this or another graph, scaled as those of the training graph were."""
        return scale(self.scale_features, self.scaling_, x)

    def _input(self, data: Data) -> GraphInput:
        """What modules compute on: scaled features and structure on the method's device."""
        device = resolve_device(self.device)
        adjacency = Adjacency(data.edge_index, data.num_nodes, data.get("edge_weight"), device)
        return GraphInput(FeatureMatrix(self._scaled(data.x), device), adjacency)

    def _look_for_collapse(self, embedding: Tensor) -> None:
        warn_if_collapsed(embedding, self.info.title)

    def _check_fitted(self) -> None:
        if not hasattr(self, "module_"):
            raise ModelError(f"this {type(self).__name__} is not fitted yet; call fit first")
