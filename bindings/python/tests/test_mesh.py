"""Tiles, polygons, connections, and bytes."""

from __future__ import annotations

import pytest

import wayfare


def test_files(mesh: wayfare.NavMesh, tmp_path: object) -> None:
    file = f"{tmp_path}/level.way"
    mesh.user_id = 77
    mesh.set_section("game.weather", b"rain")
    mesh.save(file)
    again = wayfare.NavMesh.load(file)
    assert again == mesh and again.user_id == 77 and again.section("game.weather") == b"rain"
    mesh.save(f"{tmp_path}/level.bin")
    detour = wayfare.NavMesh.load(f"{tmp_path}/level.bin")
    assert detour.poly_count == mesh.poly_count
    assert wayfare.NavMesh.is_detour(mesh.to_detour(64)) and not wayfare.NavMesh.is_detour(b"nothing")
    for ending in ["obj", "glb"]:
        mesh.save(f"{tmp_path}/level.{ending}")
    with pytest.raises(FileNotFoundError):
        wayfare.NavMesh.load(f"{tmp_path}/none.way")
    with pytest.raises(OSError):
        mesh.save(f"{tmp_path}/none/level.way")
    with pytest.raises(ValueError, match="32 or 64"):
        mesh.to_detour(16)
    data = bytearray(mesh.to_bytes())
    data[len(data) // 2] ^= 1
    for broken in [bytes(data), data[:-9], b"", b"hello"]:
        with pytest.raises(wayfare.FormatError):
            wayfare.NavMesh.from_bytes(bytes(broken))


def test_tiles_move_between_meshes(mesh: wayfare.NavMesh) -> None:
    other = mesh.empty_like()
    assert other.tile_count == 0 and other.bounds is None
    for tile in mesh.tiles:
        other.add_tile(mesh.tile_bytes(int(tile)))
    assert other.tile_count == mesh.tile_count and other.check() == []
    assert other.find_path((20, 0, 5), (20, 0, 35)).is_complete
    info = mesh.tile_info(int(mesh.tiles[0]))
    assert mesh.tile_at(info["x"], info["z"]) == mesh.tiles[0]
    with pytest.raises(wayfare.FormatError):
        other.add_tile(b"no tile")


def test_states(mesh: wayfare.NavMesh) -> None:
    poly = int(mesh.polys[0])
    tile = mesh.poly_tile(poly)
    state, delta = mesh.store_tile_state(tile), mesh.store_delta()
    mesh.set_flags(poly, 6)
    mesh.set_area(poly, 3)
    changed = mesh.store_delta()
    assert mesh.poly_state(poly) == (3, 6)
    mesh.restore_tile_state(tile, state)
    assert mesh.poly_state(poly) == (63, 1)
    mesh.restore_delta(changed)
    assert mesh.poly_state(poly) == (3, 6)
    mesh.restore_delta(delta)
    with pytest.raises(wayfare.FormatError):
        mesh.restore_delta(changed[:-1])
    mesh.set_area_flags(63, 9)
    assert mesh.poly_state(poly)[1] == 9
    mesh.clear_area_flags(63)
    with pytest.raises(ValueError, match="0 to 63"):
        mesh.set_area(poly, 64)


def test_connections(mesh: wayfare.NavMesh) -> None:
    before = mesh.find_path((20, 0, 18), (20, 0, 22)).length
    ladder = wayfare.Connection((20, 0, 18), (20, 0, 22), radius=1.0, user_id=5)
    reference = mesh.add_connection(ladder)
    assert mesh.connections[reference].user_id == 5 and mesh.is_valid(reference)
    path = mesh.find_path((20, 0, 18), (20, 0, 22))
    assert path.length < before and "enter" in path.kinds and reference in path.polys
    mesh.remove_connection(reference)
    assert mesh.find_path((20, 0, 18), (20, 0, 22)).length == pytest.approx(before)
    with pytest.raises(wayfare.StaleReferenceError):
        mesh.remove_connection(reference)
    with pytest.raises(ValueError):
        mesh.add_connection(wayfare.Connection((float("nan"), 0, 0), (1, 0, 1)))


def test_an_outdated_copy_is_not_published(mesh: wayfare.NavMesh) -> None:
    first, second, other = mesh.copy(), mesh.copy(), wayfare.bake(wayfare.Level.scene("flat"))
    poly = int(mesh.polys[0])
    first.set_flags(poly, 4)
    second.set_flags(poly, 8)
    mesh.publish(first)
    mesh.publish(mesh)
    for outdated in (second, other):
        with pytest.raises(wayfare.OutdatedError, match="new copy"):
            mesh.publish(outdated)
        assert mesh == first and mesh.poly_state(poly)[1] == 4
    # The same changes in a new copy, or the other's given up.
    again = mesh.copy()
    again.set_flags(poly, 8)
    mesh.publish(again)
    again.set_flags(poly, 16)
    mesh.publish(again)
    assert mesh.poly_state(poly)[1] == 16
    mesh.replace(second)
    assert mesh == second
    mesh.replace(other)
    assert mesh == other
    with pytest.raises(TypeError):
        mesh.publish("copy")  # type: ignore[arg-type]


def test_components_surface_versions(mesh: wayfare.NavMesh) -> None:
    assert len(set(mesh.components())) == 1
    vertices, triangles, owners = mesh.surface()
    assert triangles.shape == (len(owners), 3) and vertices.shape == (3 * len(owners), 3)
    newer = mesh.__copy__()
    newer.set_flags(int(newer.polys[0]), 4)
    query = mesh.query(wayfare.Filter(exclude=4))
    mesh.publish(newer)
    assert mesh.poly_state(int(mesh.polys[0]))[1] == 4 and query.nearest((20, 0, 5)) is not None
    assert mesh.memory[0] > 0 and mesh.hollow_surfaces(wayfare.Level.scene("flat"), 2.0) == []
