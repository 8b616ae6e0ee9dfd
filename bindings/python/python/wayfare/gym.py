"""A crowd to learn in: agents that you steer among others, on a mesh.

``CrowdEnv`` has the calls of gymnasium, and is one of its environments where that is installed; it works without it. One agent is a
single-agent environment; with several, actions, observations and rewards have a row for each.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import AgentId, AgentParams, Crowd, NavMesh

try:
    import gymnasium as _gymnasium

    _Base: Any = _gymnasium.Env
except ImportError:  # The calls are the same without it.
    _gymnasium = None  # type: ignore[assignment]
    _Base = object

Array = NDArray[np.float32]

#: Goals that are drawn for a start whose first goal cannot be reached.
GOALS = 512
#: How far the goal is at most, in metres, where none of them can be reached either.
NEARBY = 100.0


class CrowdEnv(_Base):  # type: ignore[misc]
    """Agents that you steer among others that the crowd steers.

    An action is a velocity on the plane (x, z), a share of the greatest speed, each -1 to 1. An observation has the direction and the
    distance of the next corner and of the goal, the agent's velocity, the relative position and velocity of its nearest neighbours, and how
    far it is free in so many directions. The reward is the progress along the path, less a tenth a second, less what it overlaps others, and
    ten at the goal. An episode ends when all have arrived; it is cut off after ``max_seconds``. The same seed gives the same episodes, one after
    the other; without one, each environment has others. ``dt`` is at most 1 s, as a crowd takes no more at a time.
    """

    metadata: Dict[str, Any] = {"render_modes": ["svg"]}

    def __init__(
        self,
        mesh: NavMesh,
        *,
        others: int = 20,
        learners: int = 1,
        params: Optional[AgentParams] = None,
        neighbours: int = 6,
        rays: int = 8,
        ray_length: float = 5.0,
        dt: float = 0.1,
        max_seconds: float = 60.0,
        render_mode: Optional[str] = None,
    ) -> None:
        if learners < 1 or others < 0 or neighbours < 0 or rays < 0:
            raise ValueError("learners must be 1 or more; others, neighbours and rays 0 or more")
        if not 0.0 < dt <= 1.0:
            raise ValueError(f"dt is {dt}, but must be above 0, and at most 1 second: step several times for more")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f'render_mode is {render_mode!r}, but must be "svg" or None')
        self.mesh = mesh
        self.render_mode = render_mode
        self.params = params or AgentParams()
        self.others, self.learners, self.dt, self.max_seconds = others, learners, dt, max_seconds
        self._neighbours, self._rays, self._ray_length = neighbours, rays, ray_length
        angles = np.arange(rays) * (2.0 * math.pi / max(rays, 1))
        self._directions = np.stack([np.cos(angles), np.zeros(rays), np.sin(angles)], axis=1).astype(np.float32)
        self._size = 8 + 4 * neighbours + rays
        shape = (self._size,) if learners == 1 else (learners, self._size)
        act = (2,) if learners == 1 else (learners, 2)
        if _gymnasium is not None:
            self.observation_space = _gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float32)
            self.action_space = _gymnasium.spaces.Box(-1.0, 1.0, act, np.float32)
        self._crowd: Optional[Crowd] = None
        self._random = np.random.default_rng()

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Array, Dict[str, Any]]:
        """Begins an episode: everybody at a random place, with a random goal, which those that you steer can reach. Without a seed, the next
        one after that of the last seed. There are no options."""
        if options:
            raise ValueError(f"there are no options, but some are given: {', '.join(map(str, options))}")
        if _gymnasium is not None:
            super().reset(seed=seed)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        episode = int(self._random.integers(2**63))
        # Another seed than those of the places below: with theirs, a goal would be drawn from the numbers that have made its start.
        self._query = self.mesh.query(seed=episode + 2 + self.learners)
        count = self.learners + self.others
        _, starts = self._query.random_places(count, episode)
        _, goals = self._query.random_places(count, episode + 1)
        if len(starts) < count:
            raise ValueError("the mesh has nothing to walk on")
        self._draw_reachable(starts[: self.learners], goals[: self.learners], episode)
        self._crowd = Crowd(self.mesh)
        self._agents: List[AgentId] = []
        for row, (start, goal) in enumerate(zip(starts, goals)):
            agent = self._crowd.add(start, self.params)
            if row >= self.learners:
                self._crowd.go_to(agent, goal)
            self._agents.append(agent)
        self._goals = goals[: self.learners]
        self._arrived = np.zeros(self.learners, dtype=bool)
        self._time = 0.0
        self._distance, self._corner = self._measure()
        return self._observe(), {}

    def _draw_reachable(self, starts: Array, goals: Array, episode: int) -> None:
        """Draws goals anew that lie on a part of the mesh which does not connect with the start."""
        for row in np.flatnonzero(self._query.reachable_many(starts, goals) != 1):
            start = starts[row]
            # A seed that no other places have.
            _, drawn = self._query.random_places(GOALS, episode + 2 + int(row))
            for some in (drawn[at : at + 32] for at in range(0, len(drawn), 32)):
                reached = np.flatnonzero(self._query.reachable_many(np.tile(start, (len(some), 1)), some) == 1)
                if len(reached):
                    goals[row] = some[reached[0]]
                    break
            else:
                # A part that is a small share of the mesh: a place nearby, or none but where it stands.
                place = self._query.random_place_around(start, NEARBY)
                goals[row] = start if place is None else place.point

    def step(self, action: Any) -> Tuple[Array, Any, bool, bool, Dict[str, Any]]:
        """Goes on by ``dt``: observation, reward, whether all have arrived, whether time is up, and what else there is to know."""
        crowd = self._going()
        wanted = np.asarray(action, dtype=np.float32).reshape(self.learners, 2)
        if not np.isfinite(wanted).all():
            raise ValueError("an action is not finite: give numbers from -1 to 1")
        wanted = np.clip(wanted, -1.0, 1.0) * self.params.max_speed
        for row in range(self.learners):
            velocity = (0.0, 0.0, 0.0) if self._arrived[row] else (float(wanted[row, 0]), 0.0, float(wanted[row, 1]))
            crowd.walk(self._agents[row], velocity)
        crowd.step(self.dt)
        self._time += self.dt
        before, was = self._distance, self._arrived.copy()
        self._distance, self._corner = self._measure()
        self._arrived |= self._distance <= 2.0 * self.params.radius
        overlap = self._overlaps()
        reward = np.where(np.isfinite(before - self._distance), before - self._distance, 0.0) - 0.1 * self.dt - overlap
        reward = np.where(was, 0.0, reward + 10.0 * (self._arrived & ~was)).astype(np.float32)
        done, cut = bool(self._arrived.all()), self._time >= self.max_seconds
        info = {"distance": self._distance.copy(), "overlap": overlap, "arrived": self._arrived.copy()}
        return self._observe(), float(reward[0]) if self.learners == 1 else reward, done, cut, info

    def render(self) -> Optional[str]:
        """A picture of the mesh and everybody on it, as SVG."""
        if self.render_mode != "svg":
            return None
        return self.mesh.to_svg(agents=self._going().positions)

    def close(self) -> None:
        """Lets go of the crowd."""
        self._crowd = None

    def _going(self) -> Crowd:
        if self._crowd is None:
            raise RuntimeError("no episode has begun: call reset first")
        return self._crowd

    def _measure(self) -> Tuple[NDArray[np.float32], Array]:
        """Metres along the path, and the next corner."""
        places = self._going().positions[: self.learners]
        paths = self._query.find_paths(places, self._goals)
        corners = np.array([paths[i][1] if len(paths[i]) > 1 else places[i] for i in range(self.learners)], dtype=np.float32)
        return np.where(paths.status == 2, paths.lengths, np.float32(np.inf)).astype(np.float32), corners

    def _overlaps(self) -> Array:
        places = self._going().positions
        apart = np.linalg.norm(places[: self.learners, None, [0, 2]] - places[None, :, [0, 2]], axis=2)
        apart[np.arange(self.learners), np.arange(self.learners)] = np.inf
        depth = np.clip(2.0 * self.params.radius - apart, 0.0, None).sum(axis=1)
        return depth.astype(np.float32)  # type: ignore[no-any-return]

    def _observe(self) -> Array:
        crowd = self._going()
        places, speeds = crowd.positions, crowd.velocities
        out = np.zeros((self.learners, self._size), dtype=np.float32)
        for row in range(self.learners):
            own = places[row]
            out[row, 0:3] = _towards(self._corner[row] - own)
            out[row, 3:6] = _towards(self._goals[row] - own)
            out[row, 6:8] = speeds[row, [0, 2]]
            away = np.linalg.norm(places[:, [0, 2]] - own[[0, 2]], axis=1)
            away[row] = np.inf
            for k, other in enumerate(np.argsort(away, kind="stable")[: self._neighbours]):
                if np.isfinite(away[other]):
                    at = 8 + 4 * k
                    out[row, at : at + 2] = (places[other] - own)[[0, 2]]
                    out[row, at + 2 : at + 4] = (speeds[other] - speeds[row])[[0, 2]]
        if self._rays:
            starts = np.repeat(places[: self.learners], self._rays, axis=0)
            ends = starts + np.tile(self._directions, (self.learners, 1)) * np.float32(self._ray_length)
            free, _ = self._query.raycast_many(starts, ends.astype(np.float32))
            out[:, 8 + 4 * self._neighbours :] = free.reshape(self.learners, self._rays)
        return out[0] if self.learners == 1 else out


def _towards(offset: Array) -> Array:
    """Direction and distance on the plane."""
    distance = float(np.hypot(offset[0], offset[2]))
    if distance < 1e-6:
        return np.zeros(3, dtype=np.float32)
    return np.array([offset[0] / distance, offset[2] / distance, distance], dtype=np.float32)
