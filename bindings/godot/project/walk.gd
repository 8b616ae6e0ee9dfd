## Sends the agent to where the player clicks.
extends Node3D

@onready var camera: Camera3D = $Camera3D
@onready var region: WayfareRegion = $WayfareRegion
@onready var agent: WayfareAgent = $Walker/WayfareAgent


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click == null or not click.pressed or click.button_index != MOUSE_BUTTON_LEFT:
		return
	var from := camera.project_ray_origin(click.position)
	var to := from + camera.project_ray_normal(click.position) * 100.0
	var map := region.get_navigation_map()
	agent.target_position = WayfareServer.map_get_closest_point_to_segment(map, from, to)
