// Levels that tests share.

/** A floor of 20 by 20 metres with a wall across it that leaves a gap at one end. */
export function room() {
  const positions = [];
  const indices = [];
  const quad = (...corners) => {
    const first = positions.length / 3;
    positions.push(...corners.flat());
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  quad([0, 0, 0], [0, 0, 20], [20, 0, 20], [20, 0, 0]);
  addBox(quad, [9.5, 0, 0], [10.5, 3, 14]);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function addBox(quad, [x, y, z], [X, Y, Z]) {
  quad([x, Y, z], [x, Y, Z], [X, Y, Z], [X, Y, z]);
  quad([x, y, z], [x, y, Z], [x, Y, Z], [x, Y, z]);
  quad([X, y, z], [X, Y, z], [X, Y, Z], [X, y, Z]);
  quad([x, y, z], [x, Y, z], [X, Y, z], [X, y, z]);
  quad([x, y, Z], [X, y, Z], [X, Y, Z], [x, Y, Z]);
}

/** Hills of `size` by `size` squares of a metre, from a formula that is the same everywhere. */
export function hills(size) {
  const positions = new Float32Array(3 * (size + 1) ** 2);
  const height = (x, z) => 1.5 * Math.sin(x / 7) * Math.cos(z / 5) + 0.5 * Math.sin(x / 2.3 + z / 3.1);
  for (let z = 0, at = 0; z <= size; z += 1) {
    for (let x = 0; x <= size; x += 1, at += 3) positions.set([x, height(x, z), z], at);
  }
  const indices = new Uint32Array(6 * size * size);
  for (let z = 0, at = 0; z < size; z += 1) {
    for (let x = 0; x < size; x += 1, at += 6) {
      const a = z * (size + 1) + x;
      const b = a + size + 1;
      indices.set([a, b, b + 1, a, b + 1, a + 1], at);
    }
  }
  return { positions, indices };
}
