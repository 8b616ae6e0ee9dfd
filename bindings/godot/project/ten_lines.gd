## An agent that walks to where you click. In its scene: a region with a floor, and an agent that moves its parent.
extends Node3D

@onready var camera := get_viewport().get_camera_3d()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var from := camera.project_ray_origin(event.position)
		var to := from + camera.project_ray_normal(event.position) * 100.0
		$Walker/WayfareAgent.target_position = WayfareServer.map_get_closest_point_to_segment(RID(), from, to)
