"""Where the files of a published dataset are, or how they get there."""

from __future__ import annotations

import logging
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from graphrank.data.catalog import DatasetInfo
from graphrank.data.paths import ROOT_VARIABLE, cache_dir, data_root
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")
_TIMEOUT_SECONDS = 20


def locate(info: DatasetInfo, root: str | Path | None = None) -> Path:
    """Return the folder with the files of ``info`` (or, for graph sets, the zip archive).

    The data root is looked through first, then the cache; what is in neither is downloaded from
    the address that PyG uses, into the cache.

    Args:
        info: The dataset.
        root: The data root; ``GRAPHRANK_DATA`` if None.

    Raises:
        DataError: If the files are not there and cannot be downloaded.
    """
    found = _find_in(info, data_root(root)) or _find_in(info, cache_dir() / "downloads")
    return found or _download(info)


def available(info: DatasetInfo, root: str | Path | None = None) -> bool:
    """Tell whether ``info`` can be loaded without a download."""
    if info.built_in:
        return True
    roots = (data_root(root), cache_dir() / "downloads")
    return any(_find_in(info, folder) is not None for folder in roots)


def _find_in(info: DatasetInfo, root: Path | None) -> Path | None:
    """Return where in ``root`` the whole dataset is, or None."""
    if root is None or not root.is_dir():
        return None
    if info.family == "tu" and (root / info.files[0]).is_file():
        return root / info.files[0]
    wanted = (f"{info.name}_A.txt",) if info.family == "tu" else info.files
    for folder in _folders(root, info.name):
        if all((folder / file).is_file() for file in wanted):
            return folder
    return None


def _folders(root: Path, name: str) -> Iterator[Path]:
    """Yield the folders in which a dataset may lie, whatever the case of their names."""
    yield root
    for folder in sorted(root.iterdir()):
        if folder.name.casefold() == name.casefold() and folder.is_dir():
            yield from (folder / "raw", folder)


def _urls(info: DatasetInfo) -> list[str]:
    """Return the address of every file, as PyG knows it."""
    from torch_geometric import datasets  # noqa: PLC0415 - slow to import and rarely needed

    bases = {
        "planetoid": datasets.Planetoid.url,
        "amazon": datasets.Amazon.url,
        "coauthor": datasets.Coauthor.url,
        "tu": datasets.TUDataset.url,
    }
    return [f"{bases[info.family].rstrip('/')}/{file}" for file in info.files]


def _download(info: DatasetInfo) -> Path:
    """Fetch all files into the cache: the whole dataset or nothing of it."""
    downloads = cache_dir() / "downloads"
    target = downloads if info.family == "tu" else downloads / info.name / "raw"
    target.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=target) as folder:
            for url, file in zip(_urls(info), info.files, strict=True):
                _LOGGER.info("downloading %s", url)
                _fetch(url, Path(folder) / file)
            for file in info.files:
                (Path(folder) / file).replace(target / file)
    except OSError as error:
        raise DataError(_not_there(info, error)) from error
    return target / info.files[0] if info.family == "tu" else target


def _fetch(url: str, path: Path) -> None:
    """Save what is at ``url`` as ``path``."""
    with (
        urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer,
        path.open("wb") as file,
    ):
        shutil.copyfileobj(answer, file)


def _not_there(info: DatasetInfo, error: OSError) -> str:
    """Say which files go where."""
    folder = Path("<root>") if info.family == "tu" else Path("<root>") / info.name / "raw"
    return (
        f"{info.name} is not in the data root and cannot be downloaded ({error}); put"
        f" {', '.join(info.files)} into {folder} and set {ROOT_VARIABLE} (or the data root) to"
        " <root>"
    )
