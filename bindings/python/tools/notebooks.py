"""Writes the notebooks: cells as they are below, without outputs. ``python tools/notebooks.py``."""

from __future__ import annotations

from pathlib import Path

import nbformat

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"

NOTEBOOKS = {
    "first_steps": [
        "# First steps\n\nA level, a mesh, paths, and pictures of them.",
        'import numpy as np\n\nimport wayfare\n\nmesh = wayfare.bake("scene:dungeon")\nmesh',
        "A session asks questions. Places are looked up on the mesh; a path is an array of points.",
        "query = mesh.query(seed=5)\nstart, goal = query.random_place(), query.random_place()\npath = query.find_path(start, goal)\npath",
        'from IPython.display import SVG\n\nSVG(mesh.to_svg(paths=[path], title="a path"))',
        "Ten thousand paths are one call, on all threads.",
        "_, places = query.random_places(20_000, seed=1)\npaths = query.find_paths(places[:10_000], places[10_000:])\nfloat(paths.lengths.mean()), int((paths.status == 2).sum())",
        "What it costs to get everywhere, drawn with matplotlib.",
        "import matplotlib.pyplot as plt\n\ncosts = wayfare.CostMap(query, start).costs(mesh.polys)\nfigure, axes = plt.subplots(figsize=(6, 6))\nwayfare.plot(mesh, axes, paths=[path], values=np.where(np.isfinite(costs), costs, np.nan))\naxes.collections[0].get_array().shape",
    ],
    "crowd": [
        "# A crowd\n\nAgents that avoid each other, and an obstacle that is put in their way.",
        'import numpy as np\n\nimport wayfare\n\nlevel = wayfare.Level.scene("yard")\nsettings = wayfare.BakeSettings(tile_size=32)\nmesh = wayfare.bake(level, settings)\ncrowd = wayfare.Crowd(mesh)\n_, places = mesh.query().random_places(60, seed=2)\nfor place in places[:30]:\n    crowd.add(place, wayfare.AgentParams(radius=0.3, avoidance="orca"))\ncrowd.go_to_many(places[30:])\ncrowd',
        "for _ in range(50):\n    crowd.step(0.1)\ncrowd.statuses[:5], crowd.positions.shape",
        "middle = crowd.positions.mean(axis=0)\nobstacles = wayfare.Obstacles(mesh, level, settings)\ncrate, request = obstacles.add(wayfare.Cylinder(tuple(middle - (0, 1, 0)), 1.0, 3.0))\nobstacles.step()\nobstacles.outcome(request), obstacles.rebuilt[:3]",
        "for _ in range(200):\n    crowd.step(0.1)\n[status for status in crowd.statuses].count(\"arrived\")",
        "from IPython.display import SVG\n\nSVG(mesh.to_svg(agents=crowd.positions))",
    ],
    "learning": [
        "# To learn in\n\nAn agent among others, with the calls of gymnasium. Here it is led by a rule: towards the next corner.",
        'import wayfare\nfrom wayfare.gym import CrowdEnv\n\nenv = CrowdEnv(wayfare.bake("scene:yard"), others=15, render_mode="svg")\nobservation, info = env.reset(seed=3)\nobservation.shape',
        "total = 0.0\nfor _ in range(600):\n    observation, reward, terminated, truncated, info = env.step(observation[0:2])\n    total += reward\n    if terminated or truncated:\n        break\nterminated, round(total, 1)",
        "from IPython.display import SVG\n\nSVG(env.render())",
    ],
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, cells in NOTEBOOKS.items():
        made = []
        for number, text in enumerate(cells):
            is_text = text.startswith("#") or " = " not in text and "import" not in text and "(" not in text.split("\n")[0]
            is_text = is_text or text.rstrip().endswith(".") and "\n" not in text
            make = nbformat.v4.new_markdown_cell if is_text else nbformat.v4.new_code_cell
            made.append(make(text, id=f"{name}-{number}"))
        notebook = nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})
        (FOLDER / f"{name}.ipynb").write_text(nbformat.writes(notebook) + "\n")


if __name__ == "__main__":
    main()
