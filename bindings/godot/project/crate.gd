## An obstacle that slides to and fro: the mesh follows it, and so do paths.
extends Node3D

var time := 0.0


func _physics_process(delta: float) -> void:
	time += delta
	position.z = 2.0 + 2.0 * sin(time * 0.5)
