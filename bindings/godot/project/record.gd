## Plays a scene without a player: clicks, and lets the agent walk. Writes the mesh and its way, and with a window, a
## picture of it.
##
## godot --path project --script record.gd -- FOLDER main 4 -12
extends SceneTree

var scene: String
var main: Node3D
var trail := PackedVector3Array()


func _initialize() -> void:
	scene = OS.get_cmdline_user_args()[1]
	main = load("res://%s.tscn" % scene).instantiate()
	root.add_child(main)
	play.call_deferred()


func play() -> void:
	var arguments := OS.get_cmdline_user_args()
	var folder := arguments[0]
	var goal := Vector3(arguments[2].to_float(), 0, arguments[3].to_float())
	var region: WayfareRegion = main.get_node("WayfareRegion")
	var waited := 0
	while (not region.is_settled() or region.get_bounds().size.x == 0.0) and waited < 3000:
		waited += 1
		OS.delay_msec(2)
		await physics_frame
	var at := (main.get_node("Camera3D") as Camera3D).unproject_position(goal)
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.position = at
	click.pressed = true
	root.push_input(click)
	var walker: Node3D = main.get_node("Walker")
	var agent: WayfareAgent = walker.get_node("WayfareAgent")
	var ticks := 0
	while not agent.is_navigation_finished() and ticks < 1800:
		trail.append(walker.global_position)
		ticks += 1
		await physics_frame
	if DisplayServer.get_name() != "headless":
		draw_trail()
		await process_frame
		await RenderingServer.frame_post_draw
		root.get_texture().get_image().save_png(folder.path_join(scene + ".png"))
	# Not while the mesh follows the crate.
	while not region.store_navigation_mesh() and ticks < 4000:
		ticks += 1
		OS.delay_msec(2)
		await physics_frame
	region.navigation_mesh.save_way(folder.path_join(scene + ".way"))
	var way := FileAccess.open(folder.path_join(scene + ".trail.csv"), FileAccess.WRITE)
	for place in trail:
		way.store_line("%f,%f,%f" % [place.x, place.y, place.z])
	way.close()
	var reached := agent.is_target_reached() and walker.global_position.distance_to(goal) < 1.5
	print("%d positions, target reached: %s, at %s" % [trail.size(), reached, walker.global_position])
	quit(0 if reached else 1)


## A dot for every fourth tick.
func draw_trail() -> void:
	var dot := SphereMesh.new()
	dot.radius = 0.09
	dot.height = 0.18
	var colour := StandardMaterial3D.new()
	colour.albedo_color = Color(1.0, 0.85, 0.1)
	colour.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	dot.material = colour
	for i in range(0, trail.size(), 4):
		var node := MeshInstance3D.new()
		node.mesh = dot
		node.position = trail[i] + Vector3(0, 0.15, 0)
		main.add_child(node)
