"""The suite of cases that the library and every binding run: equal answers, to the bit."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Union

import numpy as np
import pytest

import wayfare
from wayfare import _wayfare

CASES = Path(__file__).parents[2] / "cases"
STATUS = {"complete": 0, "partial": 1, "none": 2}
KINDS = ["start", "left", "right", "enter", "leave", "crossing", "end"]
LINKS = ["drop", "jump-down", "jump-across", "climb"]
Answer = Union[str, List[float]]


def digest(numbers: List[float]) -> str:
    value = 0xCBF29CE484222325
    for byte in np.asarray(numbers, dtype="<f4").tobytes():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFF_FFFF_FFFF_FFFF
    return f"{value:016x}"


def flat(points: Any) -> List[float]:
    return np.asarray(points, dtype=np.float32).ravel().tolist()


def volume(given: Dict[str, Any]) -> Any:
    points = lambda name, width: np.array(given[name], dtype=np.float32).reshape(-1, width)  # noqa: E731
    shape = given["shape"]
    if shape == "box":
        return wayfare.Box(given["min"], given["max"])
    if shape == "turned_box":
        return wayfare.TurnedBox(given["center"], given["half_extents"], given["angle"])
    if shape == "cylinder":
        return wayfare.Cylinder(given["base"], given["radius"], given["height"])
    if shape == "capsule":
        return wayfare.Capsule(given["base"], given["radius"], given["height"])
    if shape == "prism":
        return wayfare.Prism(points("outline", 2), *given["heights"])
    return wayfare.Hull(points("points", 3))


class Case:
    """A case as it is played."""

    def __init__(self, case: Dict[str, Any]) -> None:
        bake = dict(case.get("bake", {}))
        agent = {key[6:]: bake.pop(key) for key in list(bake) if key.startswith("agent_")}
        bake["partition"] = ["watershed", "monotone", "layers"][bake.get("partition", 0)]
        bake["erosion"] = ["chamfer", "euclidean"][bake.get("erosion", 0)]
        self.settings = wayfare.BakeSettings(wayfare.AgentSettings(**agent), **bake)
        self.placed: List[wayfare.ObstacleId] = []
        if "level" not in case and "heights" not in case:
            return
        self.level = self._level(case)
        self.mesh = wayfare.bake(self.level, self.settings)
        self.mesh.area_names = {area["area"]: (area["name"], area["cost"]) for area in case.get("areas", [])}
        for rule in case.get("area_flags", []):
            self.mesh.set_area_flags(rule["area"], rule["flags"])
        for connection in case.get("connections", []):
            self.mesh.add_connection(wayfare.Connection(**connection))
        if case.get("obstacles"):
            self.obstacles = wayfare.Obstacles(self.mesh, self.level, self.settings)

    @staticmethod
    def _level(case: Dict[str, Any]) -> wayfare.Level:
        if "heights" in case:
            given = case["heights"]
            samples = np.array(given["samples"], dtype=np.uint16).reshape(given["rows"], given["columns"])
            level = wayfare.Level.from_heights(samples, spacing=given["spacing"], step=given["step"], origin=given["origin"])
        else:
            given = case["level"]
            vertices = np.array(given["verts"], dtype=np.float32).reshape(-1, 3)
            triangles = np.array(given["tris"], dtype=np.uint32).reshape(-1, 3)
            areas = np.array(given.get("areas", [63] * len(triangles)), dtype=np.uint8)
            level = wayfare.Level(vertices, triangles, areas)
        for one in case.get("volumes", []):
            before = one.get("before_erosion", False) if "area" in one else None
            level.add_volume(volume(one), paint=one.get("area"), before_erosion=before)
        return level

    def query(self, step: Dict[str, Any]) -> wayfare.Query:
        own = wayfare.Filter.of(self.mesh)
        costs = {**own.area_costs, **{int(area): cost for area, cost in step.get("costs", [])}}
        filter = wayfare.Filter(include=step.get("include", 0xFFFF), exclude=step.get("exclude", 0), area_costs=costs)
        return self.mesh.query(filter, seed=step.get("seed", 0))

    def run(self, step: Dict[str, Any]) -> Answer:
        return getattr(self, "do_" + step["do"])(step)  # type: ignore[no-any-return]

    # The mesh.

    def do_mesh(self, step: Dict[str, Any]) -> Answer:
        return self.mesh.digest

    def do_count(self, step: Dict[str, Any]) -> Answer:
        return [self.mesh.tile_count, self.mesh.poly_count, len(self.mesh.connections)]

    def do_save_load(self, step: Dict[str, Any]) -> Answer:
        return wayfare.NavMesh.from_bytes(self.mesh.to_bytes()).digest

    def do_detour(self, step: Dict[str, Any]) -> Answer:
        return wayfare.NavMesh.from_bytes(self.mesh.to_detour(64)).digest

    def do_links(self, step: Dict[str, Any]) -> Answer:
        rules = wayfare.LinkSettings.for_agent(self.settings.agent)
        found = wayfare.find_links(self.level, self.mesh, rules, self.settings)
        numbers: List[float] = []
        for link in found:
            numbers += [LINKS.index(link.kind), *link.start, *link.end]
            self.mesh.add_connection(
                wayfare.Connection(link.start, link.end, link.radius, link.two_way, link.area, link.flags, link.id)
            )
        return numbers

    def do_explain_place(self, step: Dict[str, Any]) -> Answer:
        why = wayfare.explain(self.level, self.settings).at(step["at"])
        return "outside" if why is None else str(why["reason"])

    def do_outline_mesh(self, step: Dict[str, Any]) -> Answer:
        outlines = [np.array(outline).reshape(-1, 2).tolist() for outline in step["outlines"]]
        self.mesh = wayfare.mesh_from_outlines(outlines, step["y"])
        return self.mesh.digest

    # Questions.

    def do_nearest(self, step: Dict[str, Any]) -> Answer:
        place = self.query(step).nearest(step["at"])
        return [] if place is None else [place.over, place.poly & 0xF_FFFF, *place.point]

    @staticmethod
    def _path(path: wayfare.Path) -> Answer:
        corners = [[*point, KINDS.index(kind)] for point, kind in zip(path.points.tolist(), path.kinds)]
        return [STATUS[path.status], *flat(corners)]

    @staticmethod
    def _optimal(path: wayfare.Path) -> Answer:
        return [STATUS[path.status], path.length, *flat(path.points)]

    def do_path(self, step: Dict[str, Any]) -> Answer:
        return self._path(self.query(step).find_path(step["from"], step["to"], "corridor"))

    def do_bounded(self, step: Dict[str, Any]) -> Answer:
        return self._path(self.query(step).find_path(step["from"], step["to"], wayfare.CostBounds(self.mesh)))

    def do_paths(self, step: Dict[str, Any]) -> Answer:
        pairs = np.array(step["pairs"], dtype=np.float32)
        paths = self.query(step).find_paths(pairs[:, 0], pairs[:, 1], "corridor")
        each = ([2 - int(paths.status[i]), len(paths[i]), *flat(paths[i])] for i in range(len(paths)))
        return [number for numbers in each for number in numbers]

    def do_optimal(self, step: Dict[str, Any]) -> Answer:
        return self._optimal(self.query(step).find_path(step["from"], step["to"]))

    def do_hierarchical(self, step: Dict[str, Any]) -> Answer:
        path = wayfare.AbstractGraph(self.query(step)).find_path(step["from"], step["to"])
        return [STATUS[path.status], path.cost, len(path.polys)]

    def do_clearance(self, step: Dict[str, Any]) -> Answer:
        wide = wayfare.ClearanceMesh(self.mesh, step["radius"]).mesh
        return self._optimal(wide.query().find_path(step["from"], step["to"]))

    def do_overlay(self, step: Dict[str, Any]) -> Answer:
        overlay = wayfare.CostOverlay()
        overlay.paint_disc(step["center"], step["radius"], step["cost"], reach=2.0)
        costs = wayfare.Filter.of(self.mesh).area_costs
        query = self.mesh.query(wayfare.Filter(area_costs=costs, overlays=[(overlay, 1.0)]))
        return self._path(query.find_path(step["from"], step["to"], "corridor"))

    def do_ray(self, step: Dict[str, Any]) -> Answer:
        ray = self.query(step).raycast(step["from"], step["to"])
        return [ray.hit, ray.t, *ray.point, *ray.normal]

    def do_rays(self, step: Dict[str, Any]) -> Answer:
        rays = [self.query(step).raycast(*pair) for pair in step["pairs"]]
        pairs = np.array(step["pairs"], dtype=np.float32)
        free, _ = self.query(step).raycast_many(pairs[:, 0], pairs[:, 1])
        return [number for ray, t in zip(rays, free) for number in (ray.hit, t)]

    def do_move(self, step: Dict[str, Any]) -> Answer:
        place = self.query(step).move_along(step["from"], step["to"])
        return [] if place is None else flat(place.point)

    def do_reachable(self, step: Dict[str, Any]) -> Answer:
        answer = self.query(step).reachable(step["from"], step["to"])
        return [-1 if answer is None else answer]

    def do_explain_path(self, step: Dict[str, Any]) -> Answer:
        return str(self.query(step).explain(step["from"], step["to"])["reason"])

    def do_wall(self, step: Dict[str, Any]) -> Answer:
        wall = self.query(step).nearest_wall(step["at"], step["radius"])
        return [] if wall is None else [wall.distance, *wall.point]

    def do_walls(self, step: Dict[str, Any]) -> Answer:
        return flat(self.query(step).walls(step["at"]))

    def do_around(self, step: Dict[str, Any]) -> Answer:
        polys, _, costs = self.query(step).around(step["at"], step["radius"])
        return [number for poly, cost in zip(polys, costs) for number in (int(poly) & 0xF_FFFF, cost)]

    def do_neighbourhood(self, step: Dict[str, Any]) -> Answer:
        return [int(poly) & 0xF_FFFF for poly in self.query(step).neighbourhood(step["at"], step["radius"])]

    def do_in_box(self, step: Dict[str, Any]) -> Answer:
        return [int(poly) & 0xF_FFFF for poly in self.query(step).polys_in_box(step["min"], step["max"])]

    def do_random(self, step: Dict[str, Any]) -> Answer:
        query = self.query(step)
        places = [query.random_place() for _ in range(step["count"])]
        return flat([place.point for place in places if place is not None])

    def do_random_around(self, step: Dict[str, Any]) -> Answer:
        query = self.query(step)
        places = [query.random_place_around(step["at"], step["radius"]) for _ in range(step["count"])]
        return flat([place.point for place in places if place is not None])

    def do_corridor(self, step: Dict[str, Any]) -> Answer:
        query = self.query(step)
        corridor = wayfare.Corridor(query, step["from"])
        corridor.follow(query.find_path(step["from"], step["to"], "corridor"))
        points = []
        for to in step["walk"]:
            points.append(corridor.move_start(to))
            points += [point for point, _ in corridor.corners(3)]
        return flat(points)

    # What moves.

    def do_obstacle_add(self, step: Dict[str, Any]) -> Answer:
        name, request = self.obstacles.add(volume(step), paint=step.get("area"), before_erosion=True)
        self.placed.append(name)
        return [len(request.tiles)]

    def do_obstacle_move(self, step: Dict[str, Any]) -> Answer:
        return [len(self.obstacles.move_to(self.placed[step["which"]], step["to"]).tiles)]

    def do_obstacle_remove(self, step: Dict[str, Any]) -> Answer:
        return [len(self.obstacles.remove(self.placed[step["which"]]).tiles)]

    def do_obstacle_step(self, step: Dict[str, Any]) -> Answer:
        self.obstacles.step()
        return [len(self.obstacles.rebuilt)]

    def do_crowd(self, step: Dict[str, Any]) -> Answer:
        crowd = wayfare.Crowd(self.mesh)
        usual = _wayfare._agent_defaults(0.6, 2.0)
        for agent in step["agents"]:
            changed = {key: agent[key] for key in ("radius", "max_speed") if key in agent}
            if "method" in agent:
                changed["avoidance"] = wayfare.Avoidance(agent["method"])
            crowd.go_to(crowd.add(agent["at"], dataclasses.replace(usual, **changed)), agent["to"])
        obstacles = self.obstacles(step)
        crowd.set_obstacles(obstacles)
        crowd.step(step["dt"], ticks=step["ticks"])
        answer = flat(crowd.positions)
        if obstacles:
            for by in map(crowd.obstructed_by, crowd.agents):
                answer += [float(len(by)), *map(float, by)]
        return answer

    def obstacles(self, step: Dict[str, Any]) -> List[wayfare.GridObstacle]:
        made = []
        for number, one in enumerate(step.get("obstacles", [])):
            if one["shape"] == "segment":
                made.append(wayfare.GridObstacle.segment(one["a"], one["b"], number))
            elif one["shape"] == "disc":
                made.append(wayfare.GridObstacle.disc(one["center"], one["radius"], number))
            else:
                made.append(wayfare.GridObstacle.box(one["center"], tuple(one["half"]), one["yaw"], number))
        return made

    def do_block_path(self, step: Dict[str, Any]) -> Answer:
        world = wayfare.BlockWorld()
        kinds = ["air", "solid", "water", "ladder", "door", "hazard"]
        for box in step["boxes"]:
            ranges = [range(low, high + 1) for low, high in zip(box["min"], box["max"])]
            for x in ranges[0]:
                for y in ranges[1]:
                    for z in ranges[2]:
                        world.set((x, y, z), kinds[box["block"]])
        path = wayfare.BlockNav(world).find_path(tuple(step["start"]), tuple(step["goal"]))
        return [STATUS[path.status], path.length, *flat(path.points)]

    def do_grid_path(self, step: Dict[str, Any]) -> Answer:
        grid = wayfare.LocalGrid(step.get("size", 32), step["cell_size"], step["radius"])
        grid.recenter(step["center"])
        for obstacle in self.obstacles(step):
            grid.block(obstacle)
        status, points = grid.find_path(step["from"], step["to"])
        return [STATUS[status], *flat(points)]

    def do_hull(self, step: Dict[str, Any]) -> Answer:
        return [float(index) for index in wayfare.convex_hull(np.array(step["points"]).reshape(-1, 2).tolist())]


@pytest.mark.parametrize("file", sorted(CASES.glob("*.json")), ids=lambda file: file.stem)
def test_case(file: Path) -> None:
    given = json.loads(file.read_text())
    case = Case(given)
    faults = []
    for number, step in enumerate(given["steps"]):
        answer, wanted = case.run(step), step["answer"]
        own = {"text": answer} if isinstance(answer, str) else {"count": len(answer), "digest": digest(answer)}
        if own != {key: value for key, value in wanted.items() if key != "numbers"}:
            faults.append(f"step {number} {step['do']}: {answer} is not {wanted}")
    assert not faults, "\n".join(faults)


def test_every_file_is_run() -> None:
    check: Callable[[], bool] = CASES.is_dir
    assert check() and len(list(CASES.glob("*.json"))) >= 9
