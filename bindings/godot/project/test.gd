## Loads the extension, bakes, walks, and asserts: godot --headless --path project --script test.gd
##
## The last line counts the tests. A failed check says where; errors that are expected are caught and counted. After `--`,
## names of tests may follow: only those are run.
extends SceneTree

## Catches what would be printed.
class Caught extends Logger:
	var errors: Array[String] = []

	func _log_error(_function: String, _file: String, _line: int, code: String, rationale: String, _editor: bool,
			type: int, _traces: Array[ScriptBacktrace]) -> void:
		# Godot warns of meshes that are parsed while the game runs.
		if type != Logger.ERROR_TYPE_WARNING:
			errors.append(rationale if rationale != "" else code)


var caught := Caught.new()
var failed := 0
var passed := 0
var current := ""
var is_broken := false
## What a test has put into the scene.
var stage: Node3D


func _initialize() -> void:
	OS.add_logger(caught)
	run.call_deferred()


func run() -> void:
	var tests: Array[Callable] = [
		bakes_in_the_background, asks_the_server, walks_round_an_obstacle, follows_an_obstacle_that_moves,
		crosses_a_link, keeps_out_of_mud, moves_by_script, avoids_others, follows_a_node, goes_near,
		stores_and_loads, converts_to_and_from_godot, two_sizes, bakes_colliders_and_groups, bakes_at_once,
		carves_godots_obstacles, works_without_nodes, refuses_bad_input, survives_removal, answers_from_signals,
		walks_the_same_twice, walks_around_what_the_mesh_does_not_know, says_what_is_in_its_way, finds_the_nearest,
		tells_slopes_apart, moves_regions_to_other_maps, frees_a_region_that_failed, hangs_things_in_the_way,
		forces_updates_with_signals, walks_on_when_told_the_same, walks_while_the_game_is_paused,
		answers_as_godots_server, lets_agents_see_more_than_the_mesh, has_a_namesake_or_a_reason, finds_links,
		lets_scripts_move_over_links, keeps_parts_to_maps, says_what_cannot_be_read, counts_and_owns,
	]
	var only := OS.get_cmdline_user_args()
	for test in tests:
		current = test.get_method()
		if not only.is_empty() and current not in only:
			continue
		is_broken = false
		caught.errors.clear()
		stage = Node3D.new()
		root.add_child(stage)
		await test.call()
		stage.queue_free()
		await process_frame
		check(caught.errors.is_empty(), "errors: %s" % [caught.errors])
		if is_broken:
			failed += 1
		else:
			passed += 1
	print("%d passed, %d failed" % [passed, failed])
	quit(0 if failed == 0 else 1)


func check(holds: bool, what: String) -> void:
	if not holds:
		is_broken = true
		print("FAILED %s: %s" % [current, what])


## Errors that a call gives; they have to be sentences.
func errors_of(call: Callable) -> Array[String]:
	caught.errors.clear()
	call.call()
	var errors := caught.errors.duplicate()
	caught.errors.clear()
	return errors


func box(size: Vector3, at: Vector3) -> MeshInstance3D:
	var mesh := BoxMesh.new()
	mesh.size = size
	var node := MeshInstance3D.new()
	node.mesh = mesh
	node.position = at
	return node


func region_of(nodes: Array[Node]) -> WayfareRegion:
	var region := WayfareRegion.new()
	region.navigation_mesh = WayfareMesh.new()
	for node in nodes:
		region.add_child(node)
	stage.add_child(region)
	return region


func floor_of(size: float) -> WayfareRegion:
	return region_of([box(Vector3(size, 1, size), Vector3(0, -0.5, 0))])


func walker(at: Vector3) -> WayfareAgent:
	var body := Node3D.new()
	body.position = at
	var agent := WayfareAgent.new()
	agent.target_desired_distance = 0.5
	body.add_child(agent)
	stage.add_child(body)
	return agent


func ticks(count: int) -> void:
	for i in count:
		await physics_frame


func settled(region: WayfareRegion) -> void:
	await ticks(4)
	var waited := 0
	while (not region.is_settled() or region.get_bounds().size.x == 0.0) and waited < 3000:
		waited += 1
		# Frames do not wait for the clock here, but bakes take their time.
		OS.delay_msec(2)
		await physics_frame
	check(region.is_settled(), "the mesh does not follow")


## Lets an agent walk until it goes no farther; where it was in each tick.
func walk(agent: WayfareAgent, most: int = 1200) -> PackedVector3Array:
	var trail := PackedVector3Array()
	var body: Node3D = agent.get_parent()
	await physics_frame
	while not agent.is_navigation_finished() and trail.size() < most:
		trail.append(body.global_position)
		await physics_frame
	trail.append(body.global_position)
	return trail


func bakes_in_the_background() -> void:
	var region := floor_of(20)
	var heard: Array = []
	region.bake_progress.connect(func(done: float) -> void: heard.append(done))
	region.navigation_mesh_changed.connect(func() -> void: heard.append("changed"))
	region.bake_finished.connect(func() -> void: heard.append("finished"))
	region.bake_failed.connect(func(reason: String) -> void: heard.append(reason))
	await ticks(4)
	check(region.is_baking() or heard.has("finished"), "the bake begins by itself")
	await settled(region)
	check(heard.slice(-2) == ["changed", "finished"], "%s" % [heard])
	check(heard.size() > 2 and heard[0] is float and heard[0] >= 0.0, "progress: %s" % [heard])
	check(absf(region.get_bounds().size.x - 19.0) < 1.1, "%s" % region.get_bounds())
	check(not region.is_baking(), "it is done")


func asks_the_server() -> void:
	var region := region_of([box(Vector3(20, 1, 20), Vector3(0, -0.5, 0)), box(Vector3(1, 4, 10), Vector3(0, 1, 0))])
	await settled(region)
	var map := region.get_navigation_map()
	check(WayfareServer.get_maps().has(map), "the map is listed")
	check(WayfareServer.map_get_iteration_id(map) > 0, "the map has changed since it was made")
	var path := WayfareServer.map_get_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path.size() >= 3, "round the wall: %s" % path)
	var length := 0.0
	for i in path.size() - 1:
		length += path[i].distance_to(path[i + 1])
	check(length > 14.0 and length < 20.0, "length %s" % length)
	check(path[0].distance_to(Vector3(-5, 0, 0)) < 0.5 and path[-1].distance_to(Vector3(5, 0, 0)) < 0.5, "%s" % path)
	check(WayfareServer.map_get_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0), false).size() >= 3, "over middles")
	check(WayfareServer.map_get_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0), true, 2).is_empty(), "other layers")
	var nearest := WayfareServer.map_get_closest_point(map, Vector3(100, 30, 0))
	check(absf(nearest.x - 9.4) < 0.6 and absf(nearest.y) < 0.3, "nearest from far away: %s" % nearest)
	check(WayfareServer.map_get_closest_point_normal(map, Vector3(4, 0, 0)).y > 0.99, "normal")
	check(WayfareServer.map_get_closest_point_owner(map, Vector3.ZERO) == region.get_rid(), "owner")
	var hit := WayfareServer.map_get_closest_point_to_segment(map, Vector3(4, 10, 4), Vector3(4, -10, 4), true)
	check(hit.distance_to(Vector3(4, 0, 4)) < 0.3, "segment through the floor: %s" % hit)
	var beside := WayfareServer.map_get_closest_point_to_segment(map, Vector3(30, 1, -4), Vector3(30, 1, 4))
	check(absf(beside.x - 9.4) < 0.6, "segment beside the floor: %s" % beside)
	var ray := WayfareServer.map_raycast(map, Vector3(-5, 0, 0), Vector3(5, 0, 0))
	check(ray.hit and ray.position.x < 0.0 and ray.normal.x < -0.9, "%s" % ray)
	var moved := WayfareServer.map_move_along_surface(map, Vector3(-1.5, 0, 0), Vector3(1, 0, 1))
	check(moved.x < -0.9 and moved.z > 0.5, "slides along the wall: %s" % moved)
	check(WayfareServer.map_get_distance_to_wall(map, Vector3(-5, 0, 0), 50.0) < 4.5, "wall")
	for i in 50:
		var point := WayfareServer.map_get_random_point(map, 1, true)
		check(WayfareServer.region_owns_point(region.get_rid(), point), "random point %s" % point)
	check(not WayfareServer.region_owns_point(region.get_rid(), Vector3(50, 0, 0)), "far away")
	check(WayfareServer.map_explain_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0)) != "", "an explanation")
	check(is_equal_approx(WayfareServer.map_get_cell_size(map), 0.25), "cell size")
	check(WayfareServer.map_get_regions(map) == [region.get_rid()], "regions")
	var parameters := NavigationPathQueryParameters3D.new()
	var result := NavigationPathQueryResult3D.new()
	parameters.map = map
	parameters.start_position = Vector3(-5, 0, 0)
	parameters.target_position = Vector3(5, 0, 0)
	WayfareServer.query_path(parameters, result)
	check(result.path == path, "query_path: %s" % result.path)
	check(result.path_rids.size() == path.size() and result.path_rids[0] == region.get_rid(), "rids")
	check(result.path_owner_ids[0] == region.get_instance_id(), "owners")
	check(WayfareServer.map_get_path(RID(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true) == path, "the only map")


func walks_round_an_obstacle() -> void:
	var region := floor_of(20)
	var obstacle := WayfareObstacle.new()
	obstacle.radius = 2.0
	stage.add_child(obstacle)
	await settled(region)
	var agent := walker(Vector3(-7, 0, 0.5))
	var heard: Array = []
	agent.path_changed.connect(func() -> void: heard.append("path"))
	agent.target_reached.connect(func() -> void: heard.append("reached"))
	agent.navigation_finished.connect(func() -> void: heard.append("finished"))
	agent.waypoint_reached.connect(func(details: Dictionary) -> void: heard.append(details.position))
	await ticks(2)
	check(agent.is_navigation_finished() and agent.get_status() == 1, "idle: %s" % agent.get_status())
	agent.target_position = Vector3(7, 0, 0)
	check(not agent.is_navigation_finished() and agent.is_target_reachable(), "on its way")
	check(agent.get_current_navigation_path().size() >= 3, "a path at once")
	check(agent.get_final_position().distance_to(Vector3(7, 0, 0)) < 0.3, "its end")
	check(absf(agent.distance_to_target() - 14.0) < 0.2, "distance %s" % agent.distance_to_target())
	var trail := await walk(agent)
	check(agent.is_target_reached(), "after %d ticks at %s" % [trail.size(), trail[-1]])
	check(trail[-1].distance_to(Vector3(7, 0, 0)) < 0.6, "%s" % trail[-1])
	for point in trail:
		check(Vector2(point.x, point.z).length() > 2.2, "in the obstacle: %s" % point)
	check(heard[0] is String and heard[0] == "path", "%s" % [heard])
	check(heard.slice(-2) == ["reached", "finished"], "%s" % [heard])
	check(heard.any(func(what: Variant) -> bool: return what is Vector3), "a corner: %s" % [heard])


func follows_an_obstacle_that_moves() -> void:
	var region := floor_of(20)
	var obstacle := WayfareObstacle.new()
	obstacle.shape = 1
	obstacle.size = Vector3(2, 2, 30)
	obstacle.position = Vector3(30, 0, 0)
	stage.add_child(obstacle)
	await settled(region)
	var map := region.get_navigation_map()
	var ends := [Vector3(-5, 0, 0), Vector3(5, 0, 0)]
	check(WayfareServer.map_get_path(map, ends[0], ends[1], true).size() == 2, "open")
	var agent := walker(ends[0])
	await ticks(3)
	agent.target_position = Vector3(9, 0, 0)
	var heard: Array = []
	agent.path_lost.connect(func(_distance: float, soon: bool) -> void: heard.append(soon))
	await ticks(10)
	obstacle.position = Vector3.ZERO
	await settled(region)
	var path := WayfareServer.map_get_path(map, ends[0], ends[1], true)
	check(path[-1].x < 0.0, "closed: %s" % path)
	check(WayfareServer.map_explain_path(map, ends[0], ends[1]).length() > 20, "why")
	await ticks(5)
	check(not heard.is_empty(), "the agent is told")
	check(not agent.is_target_reachable(), "not reachable")
	obstacle.affect_navigation_mesh = false
	await settled(region)
	check(WayfareServer.map_get_path(map, ends[0], ends[1], true).size() == 2, "open again")
	obstacle.affect_navigation_mesh = true
	obstacle.rotation.y = PI / 2
	obstacle.position = Vector3(0, 0, 5)
	await settled(region)
	check(WayfareServer.map_get_path(map, ends[0], ends[1], true).size() == 2, "turned aside")
	check(WayfareServer.map_get_path(map, ends[0], Vector3(0, 0, 8), true)[-1].z < 5.0, "turned across")


func crosses_a_link() -> void:
	var region := region_of([box(Vector3(10, 1, 10), Vector3(-7, -0.5, 0)), box(Vector3(10, 1, 10), Vector3(7, 1.5, 0))])
	await settled(region)
	var map := region.get_navigation_map()
	check(WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(8, 2, 0), true)[-1].x < 0.0, "a gap")
	var link := WayfareLink.new()
	link.start_position = Vector3(-2.7, 0, 0)
	link.end_position = Vector3(2.7, 2, 0)
	stage.add_child(link)
	await settled(region)
	var path := WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(8, 2, 0), true)
	check(path[-1].x > 7.0, "%s" % path)
	check(WayfareServer.map_get_links(map) == [link.get_rid()], "links")
	var agent := walker(Vector3(-8, 0, 0))
	var heard: Array = []
	agent.link_reached.connect(func(details: Dictionary) -> void: heard.append(details))
	agent.link_left.connect(func(details: Dictionary) -> void: heard.append(details.owner))
	await ticks(2)
	agent.target_position = Vector3(8, 2, 0)
	await walk(agent)
	check(agent.is_target_reached(), "it walks over")
	check(heard.size() == 2 and heard[0].rid == link.get_rid(), "%s" % [heard])
	check(heard.size() == 2 and heard[1] == link.get_instance_id(), "the node of the link")
	check(heard.size() == 2 and heard[0].link_exit_position.x > 2.0, "where it leaves")
	link.bidirectional = false
	await settled(region)
	check(WayfareServer.map_get_path(map, Vector3(8, 2, 0), Vector3(-8, 0, 0), true)[-1].x > 0.0, "one way")
	link.bidirectional = true
	link.navigation_layers = 4
	await settled(region)
	check(WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(8, 2, 0), true, 1)[-1].x < 0.0, "other layer")
	check(WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(8, 2, 0), true, 5)[-1].x > 0.0, "its layer")
	link.enabled = false
	await settled(region)
	check(WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(8, 2, 0), true, 5)[-1].x < 0.0, "disabled")


func keeps_out_of_mud() -> void:
	var region := floor_of(20)
	var mud := WayfareArea.new()
	mud.area = 7
	mud.size = Vector3(4, 2, 12)
	stage.add_child(mud)
	await settled(region)
	var map := region.get_navigation_map()
	var ends := [Vector3(-6, 0, 0), Vector3(6, 0, 0)]
	var depth := func(path: PackedVector3Array) -> float:
		return Array(path).map(func(point: Vector3) -> float: return absf(point.z)).max()
	check(WayfareServer.map_get_area(map, Vector3.ZERO) == 7, "type %s" % WayfareServer.map_get_area(map, Vector3.ZERO))
	check(depth.call(WayfareServer.map_get_path(map, ends[0], ends[1], true)) < 1.0, "mud costs nothing")
	mud.travel_cost = 20.0
	await settled(region)
	check(WayfareServer.map_get_area_cost(map, 7) == 20.0, "cost")
	check(depth.call(WayfareServer.map_get_path(map, ends[0], ends[1], true)) > 5.0, "round the mud")
	var tired := walker(ends[0])
	var booted := walker(ends[0] + Vector3(0, 0, 2))
	booted.area_costs = {7: 1.0}
	await ticks(2)
	tired.target_position = ends[1]
	var around := await walk(tired)
	booted.target_position = ends[1] + Vector3(0, 0, 2)
	var through := await walk(booted)
	check(depth.call(around) > 5.0, "the agent goes round")
	check(depth.call(through) < 4.0, "one in boots does not")
	WayfareServer.map_set_area_cost(map, 7, 1.0)
	await ticks(2)
	check(depth.call(WayfareServer.map_get_path(map, ends[0], ends[1], true)) < 1.0, "by a script's word")


func moves_by_script() -> void:
	var region := floor_of(20)
	await settled(region)
	var agent := walker(Vector3(-6, 0.8, 0))
	agent.movement = 1
	agent.origin_height = 0.8
	var body: Node3D = agent.get_parent()
	await ticks(2)
	agent.target_position = Vector3(6, 0, 0)
	var count := [0]
	agent.velocity_computed.connect(func(safe: Vector3) -> void:
		count[0] += 1
		body.global_position += safe / Engine.physics_ticks_per_second)
	await ticks(5)
	check(agent.get_next_path_position().distance_to(Vector3(6, 0.8, 0)) < 0.4, "%s" % agent.get_next_path_position())
	var trail := await walk(agent)
	check(count[0] > 30, "velocities: %s" % count[0])
	check(agent.is_target_reached() and trail[-1].distance_to(Vector3(6, 0.8, 0)) < 0.7, "%s" % trail[-1])
	agent.stop()
	agent.velocity = Vector3(0, 0, 2)
	await ticks(30)
	check(body.global_position.z > 0.4, "as the script wants: %s" % body.global_position)


func avoids_others() -> void:
	var region := floor_of(20)
	await settled(region)
	for method in [0, 2, 4]:
		var left := walker(Vector3(-6, 0, 0))
		var right := walker(Vector3(6, 0, 0.05))
		for agent: WayfareAgent in [left, right]:
			agent.avoidance_method = method
		await ticks(2)
		left.target_position = Vector3(6, 0, 0)
		right.target_position = Vector3(-6, 0, 0)
		var nearest := INF
		for i in 400:
			await physics_frame
			nearest = minf(nearest, left.get_parent().position.distance_to(right.get_parent().position))
		check(left.is_target_reached() and right.is_target_reached(), "method %d: both arrive" % method)
		check(nearest > 0.85, "method %d: %s" % [method, nearest])
		left.get_parent().free()
		right.get_parent().free()


func follows_a_node() -> void:
	var region := floor_of(20)
	await settled(region)
	var hare := Node3D.new()
	stage.add_child(hare)
	var hound := walker(Vector3(-8, 0, -8))
	hound.target_node = hare
	for i in 240:
		hare.position = Vector3(6.0 * cos(i / 240.0), 0, 6.0 * sin(i / 240.0))
		await physics_frame
	check(hound.get_parent().position.distance_to(hare.position) < 1.2, "%s" % hound.get_parent().position)
	var other := walker(Vector3(8, 0, -8))
	var chaser := walker(Vector3(-8, 0, 8))
	await ticks(2)
	chaser.target_node = other.get_parent()
	await walk(chaser)
	var gap: float = chaser.get_parent().position.distance_to(other.get_parent().position)
	check(gap > 0.9 and gap < 2.0, "body to body: %s" % gap)
	hare.free()
	await ticks(3)
	check(hound.is_navigation_finished(), "who is followed is gone")


func goes_near() -> void:
	var region := region_of([box(Vector3(10, 1, 10), Vector3(-8, -0.5, 0)), box(Vector3(10, 1, 10), Vector3(8, -0.5, 0))])
	await settled(region)
	var agent := walker(Vector3(-8, 0, 0))
	var heard: Array = []
	agent.navigation_finished.connect(func() -> void: heard.append("finished"))
	agent.target_reached.connect(func() -> void: heard.append("reached"))
	agent.target_unreachable.connect(func() -> void: heard.append("unreachable"))
	await ticks(2)
	agent.target_position = Vector3(8, 0, 0)
	check(not agent.is_target_reachable(), "across the gap")
	var trail := await walk(agent)
	check(trail[-1].x > -4.5 and heard == ["finished"], "%s %s" % [trail[-1], heard])
	var proud := walker(Vector3(-8, 0, 3))
	proud.go_near = false
	proud.target_unreachable.connect(func() -> void: heard.append("unreachable"))
	await ticks(2)
	proud.target_position = Vector3(8, 0, 3)
	await ticks(30)
	check(heard.back() == "unreachable" and proud.get_status() == 7, "%s %s" % [heard, proud.get_status()])


func stores_and_loads() -> void:
	var region := floor_of(20)
	await settled(region)
	check(region.store_navigation_mesh(), "stored")
	var mesh := region.navigation_mesh
	check(mesh.is_baked() and mesh.get_polygon_count() > 0, "polygons")
	check(ResourceSaver.save(mesh, "user://mesh.res") == OK, "saved")
	check(mesh.save_way("user://mesh.way") == OK, "as a file")
	region.free()
	var again := WayfareRegion.new()
	again.navigation_mesh = ResourceLoader.load("user://mesh.res", "", ResourceLoader.CACHE_MODE_IGNORE)
	stage.add_child(again)
	await ticks(2)
	check(not again.is_baking() and again.get_bounds().size.x > 18.0, "without a bake: %s" % again.get_bounds())
	var wall := WayfareObstacle.new()
	wall.shape = 1
	wall.size = Vector3(1, 2, 30)
	stage.add_child(wall)
	await settled(again)
	var path := WayfareServer.map_get_path(again.get_navigation_map(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path[-1].x < 0.0, "obstacles change a loaded mesh: %s" % path)
	var third := WayfareMesh.new()
	check(third.load_way("user://mesh.way") == OK and third.get_vertices() == mesh.get_vertices(), "the file")
	again.navigation_mesh = third
	wall.queue_free()
	await settled(again)
	path = WayfareServer.map_get_path(again.get_navigation_map(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path[-1].x > 4.0, "without the obstacle: %s" % path)


func converts_to_and_from_godot() -> void:
	var region := region_of([box(Vector3(40, 1, 40), Vector3(0, -0.5, 0)), box(Vector3(1, 4, 30), Vector3(0, 1, 0))])
	await settled(region)
	region.store_navigation_mesh()
	var godots := region.navigation_mesh.to_navigation_mesh()
	check(godots.get_polygon_count() == region.navigation_mesh.get_polygon_count(), "polygons")
	var map := NavigationServer3D.map_create()
	var part := NavigationServer3D.region_create()
	NavigationServer3D.map_set_active(map, true)
	NavigationServer3D.map_set_use_async_iterations(map, false)
	NavigationServer3D.region_set_use_async_iterations(part, false)
	NavigationServer3D.map_set_cell_height(map, godots.cell_height)
	NavigationServer3D.region_set_map(part, map)
	NavigationServer3D.region_set_navigation_mesh(part, godots)
	NavigationServer3D.map_force_update(map)
	await ticks(3)
	var length := func(path: PackedVector3Array) -> float:
		var sum := 0.0
		for i in path.size() - 1:
			sum += path[i].distance_to(path[i + 1])
		return sum
	var ends := [Vector3(-15, 0, 2), Vector3(15, 0, -2)]
	var ours := WayfareServer.map_get_path(region.get_navigation_map(), ends[0], ends[1], true)
	var theirs := NavigationServer3D.map_get_path(map, ends[0], ends[1], true)
	check(theirs.size() >= 3 and absf(length.call(ours) - length.call(theirs)) < 1.0, "%s %s" % [ours, theirs])
	NavigationServer3D.free_rid(part)
	NavigationServer3D.free_rid(map)
	# And back: what Godot itself has baked.
	var baked := NavigationMesh.new()
	var source := NavigationMeshSourceGeometryData3D.new()
	NavigationServer3D.parse_source_geometry_data(baked, source, region)
	NavigationServer3D.bake_from_source_geometry_data(baked, source)
	check(baked.get_polygon_count() > 0, "Godot bakes")
	var taken := WayfareMesh.new()
	check(taken.from_navigation_mesh(baked), "taken over")
	region.navigation_mesh = taken
	await ticks(3)
	var path := WayfareServer.map_get_path(region.get_navigation_map(), ends[0], ends[1], true)
	check(absf(length.call(path) - length.call(ours)) < 1.5 and path[-1].x > 14.0, "%s" % path)


func two_sizes() -> void:
	var nodes: Array[Node] = []
	for x in [-6.0, 6.0]:
		nodes.append(box(Vector3(10, 3, 1), Vector3(x, 1, 0)))
	nodes.append(box(Vector3(22, 1, 22), Vector3(0, -0.5, 0)))
	for node in nodes:
		node.add_to_group("level")
		stage.add_child(node)
	var small := WayfareRegion.new()
	var large := WayfareRegion.new()
	for region: WayfareRegion in [small, large]:
		region.navigation_mesh = WayfareMesh.new()
		region.navigation_mesh.geometry_source_geometry_mode = 1
		region.navigation_mesh.geometry_source_group_name = "level"
		region.navigation_mesh.agent_radius = 0.5 if region == small else 1.5
		stage.add_child(region)
	await settled(small)
	await settled(large)
	var man := walker(Vector3(-2, 0, -5))
	var giant := walker(Vector3(2, 0, -5))
	giant.radius = 1.5
	giant.go_near = false
	await ticks(2)
	check(man.get_navigation_map() == small.get_navigation_map(), "the smaller one")
	check(giant.get_navigation_map() == large.get_navigation_map(), "the larger one")
	man.target_position = Vector3(-2, 0, 5)
	giant.target_position = Vector3(2, 0, 5)
	check(man.is_target_reachable() and not giant.is_target_reachable(), "only one fits through the gate")
	await walk(man)
	check(man.is_target_reached() and giant.get_parent().position.z < 0.0, "and walks through")


func bakes_colliders_and_groups() -> void:
	var body := StaticBody3D.new()
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = Vector3(20, 1, 20)
	body.position.y = -0.5
	body.add_child(shape)
	var wall := CSGBox3D.new()
	wall.size = Vector3(1, 4, 30)
	var region := region_of([body, wall])
	region.navigation_mesh.geometry_parsed_geometry_type = 1
	await settled(region)
	var map := region.get_navigation_map()
	check(WayfareServer.map_get_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0), true)[-1].x > 4.0, "colliders alone")
	region.navigation_mesh.geometry_parsed_geometry_type = 2
	await process_frame
	region.bake_navigation_mesh()
	await settled(region)
	check(WayfareServer.map_get_path(map, Vector3(-5, 0, 0), Vector3(5, 0, 0), true)[-1].x < 0.0, "a wall of CSG as well")
	var heights := StaticBody3D.new()
	var heights_shape := CollisionShape3D.new()
	heights_shape.shape = HeightMapShape3D.new()
	heights_shape.shape.map_width = 9
	heights_shape.shape.map_depth = 9
	heights.add_child(heights_shape)
	heights.position = Vector3(0, 0, 30)
	region.add_child(heights)
	region.bake_navigation_mesh()
	await settled(region)
	check(WayfareServer.map_get_closest_point(map, Vector3(0, 0, 30)).distance_to(Vector3(0, 0, 30)) < 0.5, "heights")


func bakes_at_once() -> void:
	var region := region_of([box(Vector3(20, 1, 20), Vector3(0, -0.5, 0))])
	var wall := WayfareObstacle.new()
	wall.shape = 2
	wall.vertices = PackedVector3Array([Vector3(-1, 0, -15), Vector3(1, 0, -15), Vector3(1, 0, 15), Vector3(-1, 0, 15)])
	stage.add_child(wall)
	region.bake_navigation_mesh(false)
	check(not region.is_baking() and region.get_bounds().size.x > 18.0, "at once: %s" % region.get_bounds())
	var path := WayfareServer.map_get_path(region.get_navigation_map(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path[-1].x < 0.0, "with obstacles: %s" % path)
	region.clear_navigation_mesh()
	await ticks(3)
	check(region.get_bounds().size == Vector3.ZERO and not region.is_baking(), "cleared")


func carves_godots_obstacles() -> void:
	var obstacle := NavigationObstacle3D.new()
	obstacle.affect_navigation_mesh = true
	obstacle.carve_navigation_mesh = true
	obstacle.height = 2.0
	obstacle.vertices = PackedVector3Array([Vector3(-1, 0, -15), Vector3(1, 0, -15), Vector3(1, 0, 15), Vector3(-1, 0, 15)])
	var region := region_of([box(Vector3(20, 1, 20), Vector3(0, -0.5, 0)), obstacle])
	await settled(region)
	var path := WayfareServer.map_get_path(region.get_navigation_map(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path[-1].x < 0.0, "%s" % path)
	# Parsed data has them as well.
	var source := NavigationMeshSourceGeometryData3D.new()
	WayfareServer.parse_source_geometry_data(region.navigation_mesh, source, region)
	check(source.get_projected_obstructions().size() == 1, "%s" % [source.get_projected_obstructions()])
	var mesh := WayfareMesh.new()
	WayfareServer.bake_from_source_geometry_data(mesh, source)
	region.navigation_mesh = mesh
	await settled(region)
	path = WayfareServer.map_get_path(region.get_navigation_map(), Vector3(-5, 0, 0), Vector3(5, 0, 0), true)
	check(path[-1].x < 0.0, "baked from parsed data: %s" % path)
	# What carves takes exactly its outline, whatever the radius of agents; else agents keep away from it.
	var nearest := func() -> float:
		return WayfareServer.map_get_closest_point(region.get_navigation_map(), Vector3.ZERO).length()
	check(nearest.call() < 1.3, "carved: %s" % nearest.call())
	obstacle.carve_navigation_mesh = false
	region.bake_navigation_mesh()
	await settled(region)
	check(nearest.call() > 1.4, "kept away from: %s" % nearest.call())


func works_without_nodes() -> void:
	var mesh := WayfareMesh.new()
	var source := NavigationMeshSourceGeometryData3D.new()
	var ground := box(Vector3(20, 1, 20), Vector3(0, -0.5, 0))
	stage.add_child(ground)
	WayfareServer.parse_source_geometry_data(mesh, source, ground)
	check(source.has_data(), "parsed")
	WayfareServer.bake_from_source_geometry_data(mesh, source)
	check(mesh.is_baked(), "baked")
	var other := WayfareMesh.new()
	var called := [false]
	WayfareServer.bake_from_source_geometry_data_async(other, source, func() -> void: called[0] = true)
	check(WayfareServer.is_baking_navigation_mesh(other), "in the background")
	for i in 3000:
		if not called[0]:
			OS.delay_msec(2)
			await physics_frame
	check(called[0] and other.data == mesh.data, "the same bytes")
	var map := WayfareServer.map_create()
	var region := WayfareServer.region_create()
	WayfareServer.region_set_map(region, map)
	WayfareServer.region_set_navigation_mesh(region, mesh)
	check(WayfareServer.region_get_map(region) == map, "its map")
	var obstacle := WayfareServer.obstacle_create()
	WayfareServer.obstacle_set_map(obstacle, map)
	WayfareServer.obstacle_set_position(obstacle, Vector3.ZERO)
	WayfareServer.obstacle_set_height(obstacle, 2.0)
	WayfareServer.obstacle_set_radius(obstacle, 2.0)
	WayfareServer.map_force_update(map)
	check(WayfareServer.map_get_path(map, Vector3(-6, 0, 0), Vector3(6, 0, 0), true).size() >= 3, "round it")
	check(WayfareServer.map_get_obstacles(map) == [obstacle], "obstacles")
	var agent := WayfareServer.agent_create()
	WayfareServer.agent_set_map(agent, map)
	WayfareServer.agent_set_position(agent, Vector3(-6, 0, 0))
	WayfareServer.agent_set_max_speed(agent, 2.0)
	WayfareServer.agent_set_target_position(agent, Vector3(6, 0, 0))
	var velocity := [Vector3.ZERO]
	WayfareServer.agent_set_avoidance_callback(agent, func(safe: Vector3) -> void: velocity[0] = safe)
	await ticks(60)
	check(WayfareServer.agent_is_on_map(agent), "on the map")
	check(velocity[0].length() > 1.5 and velocity[0].length() < 2.1, "%s" % velocity[0])
	check(WayfareServer.map_get_agents(map) == [agent], "agents")
	for rid in [agent, obstacle, region]:
		WayfareServer.free_rid(rid)
	check(not WayfareServer.get_maps().has(map), "a region takes its map along")


func refuses_bad_input() -> void:
	var region := floor_of(10)
	await settled(region)
	var map := region.get_navigation_map()
	var nan := Vector3(NAN, 0, 0)
	var agent := walker(Vector3.ZERO)
	await ticks(2)
	check(WayfareServer.map_get_path(map, nan, Vector3.ONE, true).is_empty(), "a path from nowhere")
	check(WayfareServer.map_get_closest_point(map, Vector3(INF, 0, 0)) == Vector3.ZERO, "nearest to nowhere")
	check(WayfareServer.map_get_closest_point_to_segment(map, nan, nan) == Vector3.ZERO, "a segment from nowhere")
	var link := WayfareServer.link_create()
	var obstacle_rid := WayfareServer.obstacle_create()
	var agent_rid := WayfareServer.agent_create()
	var wrong: Array[Callable] = [
		func() -> void: WayfareServer.map_get_path(rid_from_int64(99999999), Vector3.ZERO, Vector3.ONE, true),
		func() -> void: WayfareServer.free_rid(rid_from_int64(99999999)),
		func() -> void: WayfareServer.free_rid(region.get_rid()),
		func() -> void: WayfareServer.link_set_map(link, rid_from_int64(99999999)),
		func() -> void: WayfareServer.obstacle_set_map(obstacle_rid, rid_from_int64(99999999)),
		func() -> void: WayfareServer.agent_set_map(agent_rid, region.get_rid()),
		func() -> void: WayfareServer.region_get_closest_point(map, Vector3.ZERO),
		func() -> void: WayfareServer.region_set_enabled(map, false),
		func() -> void: WayfareServer.map_get_up(rid_from_int64(99999999)),
		func() -> void: WayfareServer.query_path(
			asking(rid_from_int64(99999999)), NavigationPathQueryResult3D.new()),
		func() -> void: WayfareServer.agent_set_position(map, Vector3.ZERO),
		func() -> void: WayfareServer.map_set_area_cost(map, 200, 1.0),
		func() -> void: WayfareServer.map_set_area_cost(map, 3, NAN),
		func() -> void: WayfareServer.region_set_navigation_mesh(region.get_rid(), WayfareMesh.new()),
		func() -> void: WayfareServer.obstacle_set_vertices(obstacle_rid, PackedVector3Array()),
		func() -> void: agent.target_position = nan,
		func() -> void: agent.set_navigation_layer_value(40, true),
		func() -> void: agent.set_navigation_map(rid_from_int64(99999999)),
		func() -> void: WayfareMesh.new().save_way("user://never.way"),
		func() -> void: WayfareMesh.new().load_way("user://missing.way"),
		func() -> void: WayfareMesh.new().from_navigation_mesh(NavigationMesh.new()),
		func() -> void: WayfareMesh.new().get_polygon(3),
		func() -> void:
			var nowhere := WayfareRegion.new()
			nowhere.bake_navigation_mesh()
			nowhere.free(),
		func() -> void: WayfareServer.bake_from_source_geometry_data(WayfareMesh.new(), NavigationMeshSourceGeometryData3D.new()),
	]
	for i in wrong.size():
		var errors := errors_of(wrong[i])
		check(errors.size() == 1 and errors[0].length() > 20, "%d: %s" % [i, errors])
	await ticks(2)
	# An obstacle without a size is nowhere.
	check(WayfareServer.map_get_closest_point(map, Vector3.ZERO).length() < 0.3, "nothing is in the way")
	for rid: RID in [link, obstacle_rid, agent_rid]:
		WayfareServer.free_rid(rid)
	check(agent.get_status() == 1, "it stands there: %s" % agent.get_status())
	caught.errors.clear()
	agent.max_speed = NAN
	await ticks(5)
	check(caught.errors.size() == 1 and "speed" in caught.errors[0], "said once: %s" % [caught.errors])
	check(agent.get_status() == 0, "no agent")
	agent.max_speed = 3.0
	await ticks(3)
	check(agent.get_status() == 1, "an agent again")
	caught.errors.clear()
	var damaged := WayfareMesh.new()
	damaged.data = PackedByteArray([1, 2, 3])
	var shown := func() -> void: region.navigation_mesh = damaged
	shown.call()
	caught.errors.clear()
	await ticks(2)
	check(caught.errors.size() == 1, "a damaged mesh: %s" % [caught.errors])
	caught.errors.clear()
	check(region.get_bounds().size.x > 8.0, "the mesh before stays")
	# Settings out of their ranges, nothing to bake, nothing to walk on.
	var settings := WayfareMesh.new()
	settings.cell_size = -1.0
	region.navigation_mesh = settings
	for nonsense: Callable in [
		func() -> void: settings.cell_size = -1.0,
		func() -> void: settings.cell_size = NAN,
		func() -> void: settings.agent_height = -2.0,
		func() -> void:
			settings.agent_height = 1.5
			settings.cell_size = 0.25
			region.get_child(0).scale = Vector3(0.01, 1, 0.01),
		func() -> void: region.get_child(0).free(),
	]:
		nonsense.call()
		var errors := errors_of(func() -> void: region.bake_navigation_mesh(false))
		check(errors.size() == 1 and errors[0].length() > 20, "%s" % [errors])
	agent.radius = -1.0
	await ticks(3)
	agent.radius = 0.5
	var obstacle := WayfareObstacle.new()
	obstacle.radius = 0.0
	obstacle.position = nan
	stage.add_child(obstacle)
	await ticks(3)
	caught.errors.clear()


func asking(map: RID) -> NavigationPathQueryParameters3D:
	var parameters := NavigationPathQueryParameters3D.new()
	parameters.map = map
	return parameters


func survives_removal() -> void:
	var region := floor_of(20)
	await settled(region)
	var agents: Array[WayfareAgent] = []
	for i in 10:
		agents.append(walker(Vector3(i - 5, 0, -5)))
	await ticks(2)
	for agent in agents:
		agent.target_position = Vector3(0, 0, 8)
		agent.path_changed.connect(agent.get_parent().queue_free)
	await ticks(10)
	check(not is_instance_valid(agents[0]), "freed by its own signal")
	var last := walker(Vector3(0, 0, -5))
	last.target_position = Vector3(0, 0, 5)
	await ticks(20)
	region.bake_navigation_mesh()
	region.free()
	await ticks(5)
	check(last.get_status() == 0, "no mesh: %s" % last.get_status())
	var again := floor_of(20)
	await settled(again)
	await walk(last)
	check(last.is_target_reached(), "a new region takes its agents on")
	last.get_parent().position = Vector3(0, 0, -8)
	await ticks(3)
	check(last.get_parent().position.z < -7.0, "moved by hand: %s" % last.get_parent().position)
	stage.remove_child(again)
	await ticks(2)
	stage.add_child(again)
	await settled(again)
	check(again.get_bounds().size.x > 18.0, "back in the scene")


## Handlers may ask and change whatever they like.
func answers_from_signals() -> void:
	var region := floor_of(20)
	var seen: Array = []
	region.bake_progress.connect(func(_done: float) -> void: seen.append(region.is_baking()))
	region.navigation_mesh_changed.connect(func() -> void:
		seen.append(region.get_bounds().size.x > 18.0)
		seen.append(WayfareServer.map_get_path(region.get_navigation_map(), Vector3.ZERO, Vector3.ONE, true).size() == 2)
		region.debug_enabled = not region.debug_enabled)
	region.bake_finished.connect(func() -> void: seen.append(region.store_navigation_mesh()))
	await settled(region)
	check(seen.size() >= 4 and not seen.has(false), "%s" % [seen])
	var agent := walker(Vector3(-5, 0, 0))
	var rounds := [0]
	agent.target_reached.connect(func() -> void:
		rounds[0] += 1
		if rounds[0] < 3:
			agent.target_position = -agent.target_position)
	agent.path_changed.connect(func() -> void: agent.get_next_path_position())
	await ticks(2)
	agent.target_position = Vector3(5, 0, 0)
	for i in 900:
		if rounds[0] < 3:
			await physics_frame
	check(rounds[0] == 3, "there and back again: %s" % [rounds])


func walks_the_same_twice() -> void:
	var trails: Array = []
	for run in 2:
		var region := region_of([box(Vector3(20, 1, 20), Vector3(0, -0.5, 0)), box(Vector3(1, 4, 8), Vector3(0, 1, 0))])
		region.cells_per_tick = 20000
		await settled(region)
		var agents: Array = []
		for i in 8:
			agents.append(walker(Vector3(-7, 0, i * 1.5 - 5)))
			agents[i].target_position = Vector3(7, 0, 5 - i * 1.5)
		var trail := PackedVector3Array()
		for i in 200:
			await physics_frame
			for agent: WayfareAgent in agents:
				trail.append(agent.get_parent().position)
		trails.append(trail)
		for agent: WayfareAgent in agents:
			agent.get_parent().free()
		region.free()
	check(trails[0] == trails[1], "two runs differ")


func walks_around_what_the_mesh_does_not_know() -> void:
	var region := floor_of(20)
	var cart := WayfareObstacle.new()
	cart.shape = 1
	cart.size = Vector3(1, 2, 5)
	cart.affect_navigation_mesh = false
	cart.avoidance_enabled = true
	stage.add_child(cart)
	await settled(region)
	var map := region.get_navigation_map()
	var iteration := WayfareServer.map_get_iteration_id(map)
	check(WayfareServer.map_get_path(map, Vector3(-7, 0, 0), Vector3(7, 0, 0), true).size() == 2, "paths lead through")
	var agent := walker(Vector3(-7, 0, 0))
	await ticks(2)
	agent.target_position = Vector3(7, 0, 0)
	var body: Node3D = agent.get_parent()
	var widest := 0.0
	for i in 600:
		if agent.is_navigation_finished():
			break
		# It rolls to and fro across the way.
		cart.position.z = sin(i * 0.02)
		await physics_frame
		widest = maxf(widest, absf(body.position.z))
		var beside := (body.position - cart.position).abs()
		check(beside.x > 0.45 or beside.z > 2.4, "in the cart: %s" % beside)
	check(agent.is_target_reached() and widest > 1.7, "round it: %s" % widest)
	check(WayfareServer.map_get_iteration_id(map) == iteration, "nothing was rebuilt")


func says_what_is_in_its_way() -> void:
	var region := region_of([box(Vector3(20, 1, 20), Vector3(0, -0.5, 0)), box(Vector3(1, 4, 9), Vector3(0, 1, -6)),
		box(Vector3(1, 4, 9), Vector3(0, 1, 6))])
	var crate := WayfareObstacle.new()
	crate.shape = 1
	crate.size = Vector3(1, 2, 3)
	crate.affect_navigation_mesh = false
	crate.avoidance_enabled = true
	stage.add_child(crate)
	await settled(region)
	var agent := walker(Vector3(-6, 0, 0))
	var heard: Array = []
	agent.obstructed.connect(func(details: Dictionary) -> void: heard.append(details))
	await ticks(2)
	agent.target_position = Vector3(6, 0, 0)
	await ticks(240)
	check(heard.size() >= 1 and heard[0].rid == crate.get_rid(), "%s" % [heard])
	check(heard.size() >= 1 and heard[0].owner == crate.get_instance_id(), "its node")
	check(agent.get_obstructing_obstacles() == [crate.get_rid()], "%s" % [agent.get_obstructing_obstacles()])
	check(agent.get_parent().position.x < 0.0, "it waits: %s" % agent.get_parent().position)
	crate.queue_free()
	await ticks(2)
	check(agent.get_obstructing_obstacles().is_empty(), "free")
	await walk(agent)
	check(agent.is_target_reached(), "on it goes: %s" % agent.get_parent().position)


func finds_the_nearest() -> void:
	var region := region_of([box(Vector3(6, 1, 6), Vector3(0, -0.5, 0)), box(Vector3(6, 1, 6), Vector3(22, 29.5, 0))])
	await settled(region)
	var map := region.get_navigation_map()
	var found := WayfareServer.map_get_closest_point(map, Vector3(0, 30, 0))
	check(found.x > 15.0, "the upper floor is nearer than the lower one under it: %s" % found)
	region.store_navigation_mesh()
	var vertices := region.navigation_mesh.get_vertices()
	for i in 200:
		var from := Vector3(randf_range(-30, 50), randf_range(-20, 60), randf_range(-30, 30))
		found = WayfareServer.map_get_closest_point(map, from)
		for vertex in vertices:
			# A floor below is nearer by as much as agents climb.
			check(found.distance_to(from) <= vertex.distance_to(from) + 0.6, "%s from %s, %s" % [found, from, vertex])


func tells_slopes_apart() -> void:
	var slopes: Array[Node] = []
	for side in [-1.0, 1.0]:
		var slope := box(Vector3(10, 1, 24), Vector3(4.7 * side, 1, 0))
		slope.rotation.z = 0.35 * side
		slopes.append(slope)
	var region := region_of(slopes)
	await settled(region)
	var map := region.get_navigation_map()
	for x: float in [-7.0, -4.0, -2.0, -1.2, 1.2, 2.0, 4.0, 7.0]:
		for z: float in [-9.0, 0.0, 9.0]:
			var normal := WayfareServer.map_get_closest_point_normal(map, Vector3(x, 1, z))
			check(signf(normal.x) == -signf(x) and absf(normal.y - cos(0.35)) < 0.08, "at %s, %s: %s" % [x, z, normal])


func moves_regions_to_other_maps() -> void:
	var region := floor_of(20)
	var obstacle := WayfareServer.obstacle_create()
	await settled(region)
	var before := region.get_navigation_map()
	WayfareServer.obstacle_set_map(obstacle, before)
	WayfareServer.map_set_area_cost(before, 5, 3.0)
	var map := WayfareServer.map_create()
	WayfareServer.region_set_map(region.get_rid(), map)
	check(region.get_navigation_map() == map and not WayfareServer.get_maps().has(before), "its map is another")
	check(WayfareServer.map_get_area_cost(map, 5) == 3.0, "costs go along")
	check(WayfareServer.map_get_obstacles(map).has(obstacle), "obstacles go along")
	check(region.is_settled() and region.get_bounds().size.x > 18.0, "the mesh goes along")
	region.bake_navigation_mesh()
	await settled(region)
	var agent := walker(Vector3(-5, 0, 0))
	await ticks(2)
	agent.target_position = Vector3(5, 0, 0)
	await walk(agent)
	check(agent.is_target_reached() and agent.get_navigation_map() == map, "agents walk on it")
	WayfareServer.free_rid(obstacle)


func frees_a_region_that_failed() -> void:
	# Nothing to bake from, in the background and at once, a damaged resource, and, known when it is baked, nothing to
	# walk on.
	var empty := WayfareRegion.new()
	var at_once := WayfareRegion.new()
	var damaged := WayfareRegion.new()
	damaged.navigation_mesh = WayfareMesh.new()
	damaged.navigation_mesh.data = PackedByteArray([1, 2, 3])
	var wall := WayfareRegion.new()
	wall.add_child(box(Vector3(0.1, 4, 0.1), Vector3.ZERO))
	var regions: Array[WayfareRegion] = [empty, at_once, damaged, wall]
	var heard: Array = []
	for region in regions:
		region.bake_failed.connect(func(_reason: String) -> void:
			heard.append(region)
			stage.remove_child(region)
			region.queue_free())
		region.bake_finished.connect(func() -> void: heard.append("finished"))
		stage.add_child(region)
	at_once.bake_navigation_mesh(false)
	var waited := 0
	while stage.get_child_count() > 0 and waited < 3000:
		waited += 1
		OS.delay_msec(2)
		await physics_frame
	await ticks(2)
	check(regions.all(func(region: Variant) -> bool: return not is_instance_valid(region)), "all are freed")
	check(heard.size() == 8 and caught.errors.size() == 4, "%s, %s" % [heard, caught.errors])
	caught.errors.clear()


func hangs_things_in_the_way() -> void:
	var region := floor_of(20)
	for place: Vector3 in [Vector3(-6, 0.05, 0), Vector3(0, 1.0, 0), Vector3(6, 3.0, 0)]:
		var crate := WayfareObstacle.new()
		crate.radius = 1.5
		crate.height = 1.0
		crate.position = place
		stage.add_child(crate)
	await settled(region)
	var away := func(x: float) -> float:
		return WayfareServer.map_get_closest_point(region.get_navigation_map(), Vector3(x, 0, 0)).distance_to(Vector3(x, 0, 0))
	check(away.call(-6.0) > 1.5 and away.call(0.0) > 1.2, "%s, %s" % [away.call(-6.0), away.call(0.0)])
	check(away.call(6.0) < 0.4, "nobody is as tall: %s" % away.call(6.0))


func forces_updates_with_signals() -> void:
	var region := floor_of(20)
	await settled(region)
	var heard: Array = []
	region.navigation_mesh_changed.connect(func() -> void: heard.append("region"))
	var on_map := func(map: RID) -> void: heard.append(map)
	WayfareServer.map_changed.connect(on_map)
	var map := region.get_navigation_map()
	var obstacle := WayfareServer.obstacle_create()
	WayfareServer.obstacle_set_radius(obstacle, 2.0)
	WayfareServer.map_force_update(map)
	check(heard.has("region") and heard.has(map), "%s" % [heard])
	check(WayfareServer.map_get_closest_point(map, Vector3.ZERO).length() > 1.5, "it is followed")
	heard.clear()
	region.bake_navigation_mesh(false)
	WayfareServer.map_changed.disconnect(on_map)
	WayfareServer.free_rid(obstacle)


func walks_on_when_told_the_same() -> void:
	var region := floor_of(20)
	await settled(region)
	var agent := walker(Vector3(-7, 0, 0))
	var found := [0]
	agent.path_changed.connect(func() -> void: found[0] += 1)
	await ticks(2)
	for i in 600:
		if agent.is_target_reached():
			break
		# As some scripts do it; the target trembles.
		agent.target_position = Vector3(7, 0, 0.01 * (i % 3))
		await physics_frame
	check(agent.is_target_reached() and found[0] == 1, "%s paths" % found[0])
	agent.target_position = Vector3(7, 0, 5)
	check(not agent.is_target_reached(), "another target counts")
	await walk(agent)
	check(agent.get_parent().position.z > 4.0, "%s" % agent.get_parent().position)


func walks_while_the_game_is_paused() -> void:
	var region := floor_of(20)
	await settled(region)
	var stands := walker(Vector3(-7, 0, -4))
	var walks := walker(Vector3(-7, 0, 4))
	walks.process_mode = Node.PROCESS_MODE_ALWAYS
	await ticks(2)
	for agent: WayfareAgent in [stands, walks]:
		agent.target_position = Vector3(7, 0, agent.get_parent().position.z)
	paused = true
	await ticks(60)
	paused = false
	check(stands.get_parent().position.x < -6.9, "one stands: %s" % stands.get_parent().position)
	check(walks.get_parent().position.x > -6.0, "one walks: %s" % walks.get_parent().position)
	await walk(stands)
	check(stands.is_target_reached(), "and on it goes")


func answers_as_godots_server() -> void:
	var region := region_of([box(Vector3(8, 1, 8), Vector3(-6, -0.5, 0)), box(Vector3(8, 1, 8), Vector3(6, -0.5, 0))])
	await settled(region)
	var map := region.get_navigation_map()
	var link := WayfareServer.link_create()
	WayfareServer.link_set_start_position(link, Vector3(-3, 0, 0))
	WayfareServer.link_set_end_position(link, Vector3(3, 0, 0))
	WayfareServer.link_set_area(link, 5)
	WayfareServer.link_set_travel_cost(link, 3.0)
	check(WayfareServer.link_get_enabled(link) and WayfareServer.link_get_travel_cost(link) == 3.0, "as it was set")
	WayfareServer.map_force_update(map)
	var ends := func() -> float:
		var path := WayfareServer.map_get_path(map, Vector3(-6, 0, 0), Vector3(6, 0, 0), true)
		return path[-1].x
	check(ends.call() > 5.0, "over the link")
	WayfareServer.link_set_enabled(link, false)
	WayfareServer.map_force_update(map)
	check(ends.call() < 0.0 and not WayfareServer.link_get_enabled(link), "it is disabled")
	var obstacle := WayfareServer.obstacle_create()
	WayfareServer.obstacle_set_map(obstacle, map)
	WayfareServer.obstacle_set_radius(obstacle, 1.5)
	WayfareServer.obstacle_set_height(obstacle, 3.0)
	WayfareServer.obstacle_set_position(obstacle, Vector3(6, 0.5, 1))
	check(WayfareServer.obstacle_get_map(obstacle) == map, "its map")
	check(is_equal_approx(WayfareServer.obstacle_get_radius(obstacle), 1.5), "its radius")
	check(is_equal_approx(WayfareServer.obstacle_get_height(obstacle), 3.0), "its height")
	check(WayfareServer.obstacle_get_position(obstacle).is_equal_approx(Vector3(6, 0.5, 1)), "its place")
	var agent := WayfareServer.agent_create()
	WayfareServer.agent_set_map(agent, map)
	check(WayfareServer.agent_get_avoidance_enabled(agent), "by default")
	WayfareServer.agent_set_avoidance_enabled(agent, false)
	check(not WayfareServer.agent_get_avoidance_enabled(agent), "not any more")
	var changed := false
	for i in 300:
		OS.delay_msec(1)
		await physics_frame
		changed = changed or WayfareServer.agent_is_map_changed(agent)
	check(changed and not WayfareServer.agent_is_map_changed(agent), "its map has changed, and does so no more")
	for part: RID in [link, obstacle, agent]:
		WayfareServer.free_rid(part)


func lets_agents_see_more_than_the_mesh() -> void:
	var region := floor_of(20)
	var crate := WayfareObstacle.new()
	crate.shape = 1
	crate.size = Vector3(2, 2, 2)
	crate.avoidance_enabled = true
	crate.tolerance = 0.5
	# Drawn, for once.
	debug_navigation_hint = true
	stage.add_child(crate)
	var link := WayfareLink.new()
	link.end_position = Vector3(3, 0, 3)
	stage.add_child(link)
	await settled(region)
	debug_navigation_hint = false
	var map := region.get_navigation_map()
	var before := WayfareServer.map_get_iteration_id(map)
	for i in 40:
		crate.position.x = 0.01 * i
		await physics_frame
	await settled(region)
	check(WayfareServer.map_get_iteration_id(map) == before, "the mesh has its tolerance")
	crate.position.x = 0.6
	await settled(region)
	check(WayfareServer.map_get_iteration_id(map) > before, "it follows in the end")


## Every call, property and signal of Godot's navigation is here, or is said to be missing, and why.
func has_a_namesake_or_a_reason() -> void:
	var table: GDScript = load("res://godots_calls.gd")
	for theirs: String in table.NAMESAKES:
		var ours: String = table.NAMESAKES[theirs]
		var here := {}
		for method in ClassDB.class_get_method_list(ours, true):
			here[method.name] = true
		for property in ClassDB.class_get_property_list(ours, true):
			here["set_" + property.name] = true
			here["get_" + property.name] = true
			here["is_" + property.name] = true
		var missing: Dictionary = table.MISSING.get(theirs, {})
		var there := {}
		for method in ClassDB.class_get_method_list(theirs, true):
			there[method.name] = true
			check(here.has(method.name) != missing.has(method.name), "%s.%s: %s" % [theirs, method.name,
				"here, and said to be missing" if here.has(method.name) else "missing without a reason"])
		for name: String in missing:
			check(there.has(name) and missing[name].length() > 10, "Godot has no %s.%s" % [theirs, name])
		var silent: Dictionary = table.MISSING_SIGNALS.get(theirs, {})
		for heard in ClassDB.class_get_signal_list(theirs, true):
			check(ClassDB.class_has_signal(ours, heard.name) != silent.has(heard.name), "signal %s.%s" % [theirs, heard.name])


## Two floors of ten metres, with a gap between them.
func gap(width: float) -> WayfareRegion:
	return region_of([box(Vector3(10, 1, 10), Vector3(-5, -0.5, 0)), box(Vector3(10, 1, 10), Vector3(5 + width, -0.5, 0))])


func finds_links() -> void:
	var region := gap(1.5)
	region.navigation_mesh.link_jump_across = true
	await settled(region)
	var map := region.get_navigation_map()
	var ends := func() -> Vector3: return WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(9, 0, 0), true)[-1]
	check(ends.call().x > 8.0, "it jumps over: %s" % ends.call())
	var agent := walker(Vector3(-4, 0, 0))
	var heard: Array = []
	agent.link_reached.connect(func(details: Dictionary) -> void: heard.append(details))
	await ticks(2)
	agent.target_position = Vector3(6, 0, 0)
	await walk(agent)
	check(agent.is_target_reached(), "it has jumped")
	check(heard.size() == 1 and heard[0].owner == 0 and not heard[0].rid.is_valid(), "nobody's link: %s" % [heard])
	# A crate at the edge makes the gap wider than they jump; without it they jump again.
	var crates := WayfareObstacle.new()
	crates.shape = 1
	crates.size = Vector3(3, 2, 12)
	crates.position = Vector3(-1.5, 1, 0)
	stage.add_child(crates)
	await settled(region)
	check(ends.call().x < 0.0, "too wide: %s" % ends.call())
	crates.free()
	await settled(region)
	check(ends.call().x > 8.0, "again: %s" % ends.call())
	# Stored and loaded, they are there still.
	region.store_navigation_mesh()
	var stored := WayfareMesh.new()
	stored.data = region.navigation_mesh.data
	var other := WayfareServer.region_create()
	WayfareServer.region_set_navigation_mesh(other, stored)
	await ticks(4)
	var path := WayfareServer.map_get_path(WayfareServer.region_get_map(other), Vector3(-8, 0, 0), Vector3(9, 0, 0), true)
	check(path[-1].x > 8.0, "of the stored mesh: %s" % path[-1])
	WayfareServer.free_rid(other)
	# In a layer of their own, and not at all.
	region.navigation_mesh.link_navigation_layers = 4
	region.bake_navigation_mesh(false)
	check(ends.call().x < 0.0, "in another layer")
	path = WayfareServer.map_get_path(map, Vector3(-8, 0, 0), Vector3(9, 0, 0), true, 5)
	check(path[-1].x > 8.0, "in its layer")
	region.navigation_mesh.link_navigation_layers = 1
	region.navigation_mesh.link_max_distance = 1.0
	region.bake_navigation_mesh(false)
	check(ends.call().x < 0.0, "too far")
	region.navigation_mesh.link_max_distance = NAN
	var errors := errors_of(func() -> void: region.bake_navigation_mesh(false))
	check(errors.size() == 1 and "links" in errors[0], "%s" % [errors])


func lets_scripts_move_over_links() -> void:
	var region := gap(4.0)
	await settled(region)
	var link := WayfareLink.new()
	link.start_position = Vector3(-0.7, 0, 0)
	link.end_position = Vector3(4.7, 0, 0)
	stage.add_child(link)
	await settled(region)
	var agent := walker(Vector3(-4, 0, 0))
	agent.link_movement = 1
	var body: Node3D = agent.get_parent()
	var heard: Array[String] = []
	agent.link_reached.connect(func(_details: Dictionary) -> void: heard.append("reached"))
	agent.link_left.connect(func(_details: Dictionary) -> void: heard.append("left"))
	var errors := errors_of(func() -> void: agent.set_link_progress(0.5))
	check(errors.size() == 1, "on no link: %s" % [errors])
	await ticks(2)
	agent.target_position = Vector3(8, 0, 0)
	var waited := 0
	while heard.is_empty() and waited < 600:
		waited += 1
		await physics_frame
	await ticks(30)
	check(heard == ["reached"] and agent.get_link_progress() == 0.0, "it waits for the script: %s" % [heard])
	for i in 30:
		var share := (i + 1) / 30.0
		body.position = Vector3(-0.7 + 5.4 * share, 3.0 * share * (1.0 - share) * 4.0, 0)
		var height := body.position.y
		agent.set_link_progress(share)
		await physics_frame
		check(share == 1.0 or is_equal_approx(body.position.y, height), "the script moves it: %s" % body.position)
	await walk(agent)
	check(heard == ["reached", "left"] and agent.is_target_reached(), "it walks on: %s" % [heard])


func keeps_parts_to_maps() -> void:
	var small := floor_of(16)
	var large := floor_of(16)
	large.navigation_mesh.agent_radius = 1.0
	await settled(small)
	await settled(large)
	var obstacle := WayfareObstacle.new()
	stage.add_child(obstacle)
	check(not obstacle.get_navigation_map().is_valid(), "all maps at first")
	obstacle.set_navigation_map(large.get_navigation_map())
	check(obstacle.get_navigation_map() == large.get_navigation_map(), "one map")
	var link := WayfareLink.new()
	link.start_position = Vector3(-4, 0, 0)
	link.end_position = Vector3(4, 0, 0)
	link.set_navigation_layer_value(3, true)
	check(link.navigation_layers == 5 and link.get_navigation_layer_value(3), "layers by number")
	stage.add_child(link)
	link.set_navigation_map(small.get_navigation_map())
	await settled(small)
	await settled(large)
	var near := func(region: WayfareRegion) -> float:
		return WayfareServer.map_get_closest_point(region.get_navigation_map(), Vector3.ZERO).length()
	check(near.call(small) < 0.3 and near.call(large) > 1.0, "the obstacle: %s, %s" % [near.call(small), near.call(large)])
	check(WayfareServer.map_get_links(small.get_navigation_map()).size() == 1, "the link")
	check(WayfareServer.map_get_links(large.get_navigation_map()).is_empty(), "no link")
	var errors := errors_of(func() -> void: obstacle.set_navigation_map(rid_from_int64(99999999)))
	check(errors.size() == 1, "no such map: %s" % [errors])
	var map := WayfareServer.map_create()
	small.set_navigation_map(map)
	await ticks(2)
	check(small.get_navigation_map() == map and small.get_region_rid() == small.get_rid(), "another map")
	check(WayfareServer.map_get_links(map).size() == 1, "the link goes along")
	small.navigation_mesh.set_collision_mask_value(2, false)
	check(not small.navigation_mesh.get_collision_mask_value(2), "a layer of colliders")


func says_what_cannot_be_read() -> void:
	var lines := ArrayMesh.new()
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = PackedVector3Array([Vector3.ZERO, Vector3.ONE])
	lines.add_surface_from_arrays(Mesh.PRIMITIVE_LINES, arrays)
	var fence := MeshInstance3D.new()
	fence.name = "Fence"
	fence.mesh = lines
	var ground := box(Vector3(10, 1, 10), Vector3(0, -0.5, 0))
	var region := region_of([ground, fence])
	var reasons: Array[String] = []
	region.bake_failed.connect(func(reason: String) -> void: reasons.append(reason))
	await settled(region)
	check(reasons.size() == 1 and "Fence" in reasons[0] and "triangles" in reasons[0], "%s" % [reasons])
	check(region.get_bounds().size.x > 8.0, "the rest is baked")
	fence.free()
	reasons.clear()
	caught.errors.clear()
	region.bake_navigation_mesh(false)
	check(reasons.is_empty(), "%s" % [reasons])
	caught.errors.clear()


func counts_and_owns() -> void:
	var region := floor_of(10)
	await settled(region)
	var agent := walker(Vector3.ZERO)
	await ticks(2)
	check(WayfareServer.get_process_info(NavigationServer3D.INFO_REGION_COUNT) == 1, "regions")
	check(WayfareServer.get_process_info(NavigationServer3D.INFO_AGENT_COUNT) == 1, "agents")
	check(WayfareServer.get_process_info(NavigationServer3D.INFO_POLYGON_COUNT) > 0, "polygons")
	check(WayfareServer.region_get_owner_id(region.get_rid()) == region.get_instance_id(), "its node")
	var link := WayfareServer.link_create()
	check(WayfareServer.link_get_owner_id(link) == 0, "nobody's")
	WayfareServer.link_set_owner_id(link, agent.get_instance_id())
	check(WayfareServer.link_get_owner_id(link) == agent.get_instance_id(), "somebody's")
	var obstacle := WayfareServer.obstacle_create()
	WayfareServer.obstacle_set_avoidance_enabled(obstacle, true)
	WayfareServer.obstacle_set_affect_navigation_mesh(obstacle, false)
	WayfareServer.obstacle_set_radius(obstacle, 1.0)
	WayfareServer.obstacle_set_position(obstacle, Vector3.ZERO)
	WayfareServer.obstacle_set_paused(obstacle, true)
	check(WayfareServer.obstacle_get_paused(obstacle), "paused")
	# Through what is paused, and around it when it is not.
	var widest: Array[float] = [0.0, 0.0]
	for i in 2:
		WayfareServer.obstacle_set_paused(obstacle, i == 0)
		agent.get_parent().position = Vector3(-4, 0, 0)
		await ticks(2)
		agent.target_position = Vector3(4, 0, 0)
		var waited := 0
		while not agent.is_navigation_finished() and waited < 600:
			waited += 1
			widest[i] = maxf(widest[i], absf(agent.get_parent().position.z))
			await physics_frame
	check(widest[0] < 0.2 and widest[1] > 0.8, "%s" % [widest])
	check(agent.get_current_navigation_result() is NavigationPathQueryResult3D, "a result")
	WayfareServer.free_rid(link)
	WayfareServer.free_rid(obstacle)
