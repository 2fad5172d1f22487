"""What the embedding benchmark accepts as the same work. That it runs at all takes a browser and a build."""

from __future__ import annotations

import pytest

from terrarium_build.bench.embedding import PEERS, check
from terrarium_build.paths import BuildError


def test_vectors_that_point_elsewhere_make_the_benchmark_void() -> None:
    same = {"vectors": [[1.0, 0.0], [0.0, 1.0]]}
    check({"ours": same, **dict.fromkeys(PEERS, same)})
    turned = {"vectors": [[1.0, 0.0], [0.5, 0.866]]}
    with pytest.raises(BuildError, match=r"q8's to 0\.866 only"):
        check({"ours": same, "fp32": same, "q8": turned})
