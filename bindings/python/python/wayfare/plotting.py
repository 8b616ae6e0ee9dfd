"""Meshes, paths and agents in matplotlib axes, seen from above. Needs matplotlib."""

from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

from ._wayfare import NavMesh

# Ground, then water, road, door, grass, jump: the area types that other tools use.
_COLOURS = {0: "#9fb8a0", 1: "#8fb3d9", 2: "#b9a88a", 3: "#c9a0a0", 4: "#b5cf8f", 5: "#c7b3dd", 63: "#9fb8a0"}


def plot(
    mesh: NavMesh,
    ax: Optional[Any] = None,
    *,
    paths: Any = (),
    agents: Optional[Any] = None,
    values: Optional[Any] = None,
    **style: Any,
) -> Any:
    """Draws a mesh from above, x to the right and z down, and returns the axes.

    ``paths`` is a ``Path`` or an array of points, or a list of them; ``agents`` is an array of points. ``values`` are a number for each polygon, in the order of
    ``mesh.polys``: they become its colour. ``style`` goes to the ``PolyCollection``.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection

    if ax is None:
        _, ax = plt.subplots()
    polys = mesh.polys
    outlines = [mesh.poly_points(int(poly))[:, [0, 2]] for poly in polys]
    style = {"edgecolors": "#ffffff", "linewidths": 0.4, **style}
    if values is None:
        colours = [_COLOURS.get(mesh.poly_state(int(poly))[0], "#cccccc") for poly in polys]
        collection = PolyCollection(outlines, facecolors=colours, **style)
    else:
        collection = PolyCollection(outlines, **style)
        collection.set_array(np.asarray(values))
    ax.add_collection(collection)
    for path in _listed(paths):
        points = np.asarray(getattr(path, "points", path))
        if len(points):
            ax.plot(points[:, 0], points[:, 2], color="#d9480f", linewidth=1.6)
    if agents is not None:
        places = np.asarray(agents)
        ax.plot(places[:, 0], places[:, 2], "o", color="#1864ab", markersize=3)
    ax.set_aspect("equal")
    ax.autoscale_view()
    if not ax.yaxis_inverted():
        ax.invert_yaxis()
    return ax


def _listed(paths: Any) -> List[Any]:
    """Paths as a list, where one may stand by itself."""
    if hasattr(paths, "points"):
        return [paths]
    listed = list(paths)
    is_one = len(listed) > 0 and not hasattr(listed[0], "points") and np.ndim(listed[0]) == 1
    return [listed] if is_one else listed
