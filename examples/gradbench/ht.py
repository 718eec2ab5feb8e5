# Hand tracking: how far points are from the corresponding vertices of a hand, a mesh on a skeleton whose pose is 26 numbers: the
# rotation of the hand as an axis times an angle, where it is, and for each finger two angles at its root and one at each further
# joint. With `us`, a point corresponds to what has these barycentric coordinates in a triangle, two more numbers for each point.

import numpy as np
from gradus import jacfwd, jvp


def rotation(axis):
    angle = np.sqrt(np.sum(axis * axis))
    if angle < 1e-4:
        return np.eye(3)
    x, y, z = axis / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


# The rotations about x, then z, of a joint.
def joint(x, z):
    cx, sx, cz, sz = np.cos(x), np.sin(x), np.cos(z), np.sin(z)
    return np.array([[cz, -sz * cx, sz * sx, 0.0], [sz, cz * cx, -cz * sx, 0.0], [0.0, sx, cx, 0.0], [0.0, 0.0, 0.0, 1.0]])


# The angles of each bone: those of the wrist and of the tips of the fingers are zero.
def angles(theta, bones):
    x, z = np.zeros(bones), np.zeros(bones)
    for finger in range(5):
        root = 2 + 4 * finger
        x[root : root + 3] = theta[[6 + 4 * finger, 8 + 4 * finger, 9 + 4 * finger]]
        z[root] = theta[7 + 4 * finger]
    return x, z


def vertices(theta, model):
    bones = len(model["parents"])
    x, z = angles(theta, bones)
    absolute = np.zeros((bones, 4, 4))
    positions = np.zeros((len(model["base_positions"]), 3))
    for i in range(bones):
        relative = model["base_relatives"][i] @ joint(x[i], z[i])
        parent = model["parents"][i]
        absolute[i] = relative if parent < 0 else absolute[parent] @ relative
        moved = model["base_positions"] @ (absolute[i] @ model["inverse_base_absolutes"][i]).T
        positions = positions + model["weights"][:, i : i + 1] * moved[:, :3]
    if model["is_mirrored"]:
        positions = positions * np.array([-1.0, 1.0, 1.0])
    return positions @ rotation(theta[:3]).T + theta[3:6]


def differences(theta, us, data):
    position = vertices(theta, data["model"])
    if len(us) == 0:
        return data["points"] - position[data["correspondences"]]
    corner = np.array(data["model"]["triangles"])[data["correspondences"]]
    u, v = us[:, :1], us[:, 1:]
    return data["points"] - (u * position[corner[:, 0]] + v * position[corner[:, 1]] + (1.0 - u - v) * position[corner[:, 2]])


def objective(theta, data, us):
    return differences(theta, us, data).ravel()


def jacobian(theta, data, us):
    dtheta = jacfwd(lambda theta: objective(theta, data, us))(theta)
    if len(us) == 0:
        return dtheta
    # A difference depends on coordinates of its own point alone: two directions are all of them.
    columns = [jvp(lambda us: objective(theta, data, us), (us,), (np.zeros(us.shape) + unit,))[1] for unit in np.eye(2)]
    return np.concatenate([np.stack(columns, axis=1), dtheta], axis=1)
