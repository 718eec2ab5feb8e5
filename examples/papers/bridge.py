# Programs of "A Differentiable Programming System to Bridge Machine Learning and Scientific Computing" (Innes et al. 2019), section by
# section. The rows of docs/papers.md run them.

from dataclasses import dataclass
from math import cos, erf, exp, factorial, log, pi, sin, sqrt

import numpy as np

from gradus import custom_vjp, forwarddiff, grad, jacfwd, jvp, value_and_grad, vjp

# 1.1: differentiate programs, not formulas


def isodd(i):
    return i % 2 == 1


# The sine by its Taylor series, with a loop, a branch, a print and an early return.
def s(x):
    t = 0.0
    sign = -1.0
    for i in range(1, 20):
        if isodd(i):
            newterm = x**i / factorial(i)
            if abs(newterm) < 1e-8:
                return t
            print(f"i={i}")
            sign = -sign
            t += sign * newterm
    return t


# The same without the print.
def quiet(x):
    t = 0.0
    sign = -1.0
    for i in range(1, 20):
        if isodd(i):
            newterm = x**i / factorial(i)
            if abs(newterm) < 1e-8:
                return t
            sign = -sign
            t += sign * newterm
    return t


def agree(x):
    return jvp(quiet, (x,), (1.0,))[1], vjp(quiet, x)[1](1.0)[0], cos(x)


# 2: implementation


def exponential(x):
    return exp(x)


# The operator J: the value, and a function for the way back.
def J(f):
    return lambda x: vjp(f, x)


def J_of_sin(x):
    y, back = J(sin)(x)
    return y, back(1.0)[0]


# The chain rule as a local transformation.
def J_of_composition(f, g, x):
    a, da = J(f)(x)
    b, db = J(g)(a)
    return b, lambda z: da(db(z)[0])[0]


def chain(x):
    b, back = J_of_composition(sin, exp, x)
    return b, back(1.0)


# J gives a function, so it applies again.
def third(x):
    D = lambda f: lambda x: J(f)(x)[1](1.0)[0]
    return D(D(D(sin)))(x)


def f(x):
    return x**2 + 3 * x + 1


def gradient(g, x):
    return J(g)(x)[1](1.0)[0]


def gradient_of_f(x):
    return gradient(f, x)


# A number with an uncertainty, of a library that knows nothing of derivatives.
@dataclass(frozen=True)
class Measurement:
    value: float
    error: float

    def __add__(self, other):
        other = measurement(other)
        return Measurement(self.value + other.value, sqrt(self.error**2 + other.error**2))

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        other = measurement(other)
        error = sqrt((self.error * other.value) ** 2 + (self.value * other.error) ** 2)
        return Measurement(self.value * other.value, error)

    def __rmul__(self, other):
        return self * other


def measurement(x):
    return x if isinstance(x, Measurement) else Measurement(x, 0.0)


# The derivative of a program of `+` and `*`, through a type of the program.
def through_a_type(x):
    return grad(lambda x: (Measurement(x, 0.01) * Measurement(x, 0.0) + 3 * Measurement(x, 0.01) + 1).value)(x)


# The gradient of the user, by the same mechanism as those of the system.
@custom_vjp(lambda y, x: lambda z: (z * y,))
def own_exp(x):
    return exp(x)


def by_own(x):
    return own_exp(x) * own_exp(2 * x)


# 3.1: a recurrent network with two LSTMs, a dense layer and softmax, which learns a text letter by letter


@dataclass(frozen=True)
class LSTM:
    Wx: np.ndarray
    Wh: np.ndarray
    b: np.ndarray

    def step(self, x, h, c):
        i, f, o, g = np.split(self.Wx @ x + self.Wh @ h + self.b, 4)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        return np.tanh(c) / (1 + np.exp(-o)), c


@dataclass(frozen=True)
class Dense:
    W: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        return self.W @ x + self.b


@dataclass(frozen=True)
class Model:
    first: LSTM
    second: LSTM
    out: Dense


SIZE = 6
LETTERS = 5
TEXT = np.array([0, 1, 2, 1, 3, 0, 1, 2, 1, 4, 0, 1, 2])


def made(rows, columns, at):
    return 0.4 * np.sin(12.9898 * np.arange(rows * columns) + at).reshape(rows, columns)


def made_lstm(inputs, at):
    return LSTM(made(4 * SIZE, inputs, at), made(4 * SIZE, SIZE, at + 1.0), np.zeros(4 * SIZE))


def made_model():
    return Model(made_lstm(LETTERS, 0.0), made_lstm(SIZE, 2.0), Dense(made(LETTERS, SIZE, 4.0), np.zeros(LETTERS)))


def crossentropy(scores, letter):
    return np.log(np.sum(np.exp(scores))) - scores[letter]


def text_loss(model):
    h1, c1, h2, c2 = np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE)
    total = 0.0
    for k in range(len(TEXT) - 1):
        h1, c1 = model.first.step(np.eye(LETTERS)[TEXT[k]], h1, c1)
        h2, c2 = model.second.step(h1, h2, c2)
        total += crossentropy(model.out(h2), TEXT[k + 1])
    return total


def scaled_text_loss(scale):
    model = made_model()
    return text_loss(Model(model.first, model.second, Dense(scale * model.out.W, model.out.b)))


def moved(layer, by, rate):
    if isinstance(layer, LSTM):
        return LSTM(layer.Wx - rate * by.Wx, layer.Wh - rate * by.Wh, layer.b - rate * by.b)
    return Dense(layer.W - rate * by.W, layer.b - rate * by.b)


# The loss before and after some steps of descent.
def learn_text(steps):
    model = made_model()
    before = text_loss(model)
    for _ in range(steps):
        by = grad(text_loss)(model)
        model = Model(
            moved(model.first, by.first, 0.1), moved(model.second, by.second, 0.1), moved(model.out, by.out, 0.1)
        )
    return round(before, 2), round(text_loss(model), 2)


# 3.2: a network aims a machine whose throw is a simulation


# How far a stone flies: thrown by a falling weight at an angle, against the wind, by Euler's method until it is on the ground.
def throw(weight, angle, wind):
    speed = 6.0 * sqrt(weight)
    x, y, vx, vy = 0.0, 1.0, speed * cos(angle), speed * sin(angle)
    while y > 0.0:
        x, y, vx, vy = x + 0.01 * vx, y + 0.01 * vy, vx + 0.01 * 0.1 * (wind - vx), vy - 0.01 * 9.81
    # The last step went below the ground: by as much is the place corrected.
    return x - y * vx / vy


# The network of the paper: from the distance of the target and the wind to the weight and the angle.
def aim(net, target, wind):
    hidden = np.tanh(net["W"] @ np.array([target / 20.0, wind / 5.0]) + net["b"])
    weight, angle = net["V"] @ hidden + net["c"]
    return 1.0 + exp(weight), 0.3 + 0.9 / (1.0 + exp(-angle))


def missed(net, target, wind):
    weight, angle = aim(net, target, wind)
    return ((throw(weight, angle, wind) - target) / 20.0) ** 2


def all_missed(net):
    return sum([missed(net, target, wind) for target in (10.0, 20.0, 30.0) for wind in (-3.0, 0.0, 3.0)])


def made_net():
    return {
        "W": np.array([[0.5, 0.1], [-0.3, 0.2], [0.2, -0.4], [0.7, 0.3]]),
        "b": np.zeros(4),
        "V": 0.3 * np.array([[1.0, -1.0, 0.5, 1.0], [0.5, 0.2, -0.3, 0.4]]),
        "c": np.array([0.5, 0.0]),
    }


def trained_net(steps):
    net = made_net()
    for _ in range(steps):
        by = grad(all_missed)(net)
        net = {name: w - 0.03 * by[name] for name, w in net.items()}
    return net


# The loss of the network before and after training.
def learn_to_aim(steps):
    return round(all_missed(made_net()), 3), round(all_missed(trained_net(steps)), 3)


# How far the trained network throws for a target that it has not seen.
def aimed(steps, target, wind):
    weight, angle = aim(trained_net(steps), target, wind)
    return round(throw(weight, angle, wind), 1)


# A pole on a cart, balanced by a law whose factors are found by descent through the physics.
def balance(law):
    x, v, angle, turn = 0.0, 0.0, 0.2, 0.0
    cost = 0.0
    for _ in range(100):
        force = law @ np.array([x, v, angle, turn])
        push = (force + 0.05 * turn**2 * sin(angle)) / 1.1
        bend = (9.8 * sin(angle) - cos(angle) * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos(angle) ** 2 / 1.1))
        pull = push - 0.05 * bend * cos(angle) / 1.1
        x, v, angle, turn = x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * turn, turn + 0.02 * bend
        cost += angle**2 + 0.01 * x**2
    return cost


def learn_to_balance(steps):
    law = np.array([0.5, 0.5, 20.0, 3.0])
    before = balance(law)
    for _ in range(steps):
        law = law - 1.0 * grad(balance)(law)
    return round(before, 3), round(balance(law), 3)


# 3.3: computer vision, the place of a light from a picture


@dataclass(frozen=True)
class Vec3:
    x: float
    y: float
    z: float

    def __sub__(self, other):
        return Vec3(self.x - other.x, self.y - other.y, self.z - other.z)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z


@dataclass(frozen=True)
class PointLight:
    intensity: float
    position: Vec3


# The light on a pixel of a picture of 8 x 8, of a triangle that lies in the plane z = 0.
def shade(light, i, j):
    at = Vec3(i / 7.0 - 0.5, j / 7.0 - 0.5, 0.0)
    if at.x + at.y > 0.3:
        return 0.0
    way = light.position - at
    distance2 = way.dot(way)
    return light.intensity * max(-way.z, 0.0) / (distance2 * sqrt(distance2))


def raytrace(light):
    picture = np.zeros((8, 8))
    for i in range(8):
        for j in range(8):
            picture[i, j] = shade(light, i, j)
    return picture


def picture_loss(light):
    reference = raytrace(PointLight(1.0, Vec3(0.4, -0.2, -1.0)))
    return np.mean((raytrace(light) - reference) ** 2)


def find_light(steps):
    light = PointLight(1.0, Vec3(-0.3, 0.3, -1.0))
    for _ in range(steps):
        by = grad(picture_loss)(light).position
        at = light.position
        light = PointLight(1.0, Vec3(at.x - by.x, at.y - by.y, at.z - by.z))
    at = light.position
    return round(at.x, 3), round(at.y, 3), round(at.z, 3)


# 3.4: financial derivatives


def normal(x):
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


def call(spot, time, rate, volatility, strike):
    spread = volatility * sqrt(time)
    d = (log(spot / strike) + (rate + 0.5 * volatility**2) * time) / spread
    return spot * normal(d) - strike * exp(-rate * time) * normal(d - spread)


# The equation of Black and Scholes, of which the price is a solution; `time` is what is left, so its derivative changes sign.
def black_scholes_equation(spot, time, rate, volatility, strike):
    price = lambda spot: call(spot, time, rate, volatility, strike)
    delta, gamma = grad(price)(spot), grad(grad(price))(spot)
    theta = -grad(call, 1)(spot, time, rate, volatility, strike)
    return abs(theta + 0.5 * volatility**2 * spot**2 * gamma + rate * spot * delta - rate * price(spot)) < 1e-12


def root(f, x):
    while abs(f(x)) > 1e-12:
        x = x - f(x) / grad(f)(x)
    return x


# Discount factors of the years, from the par rates: each is the root of an equation, found by Newton's method.
def bootstrap(rates):
    discounts = [1.0]
    annuity = 0.0
    for k in range(len(rates)):
        rate, before, last = rates[k], annuity, discounts[k]
        forward = root(lambda y: rate * (before + last * exp(-y)) + last * exp(-y) - 1.0, 0.05)
        discounts.append(last * exp(-forward))
        annuity += discounts[k + 1]
    return discounts


# The price of a bond that pays a coupon each year, and 100 at the end.
def bond(rates, coupon):
    discounts = bootstrap(rates)
    return sum([coupon * d for d in discounts[1:]]) + 100.0 * discounts[len(rates)]


# 3.5: quantum machine learning, the ground state of four spins by a circuit of rotations and CNOTs


SITES = 4


# A gate of two by two on one qubit of a state of four.
def on_qubit(state, qubit, gate):
    return np.moveaxis(np.tensordot(gate, state, axes=([1], [qubit])), 0, qubit)


def rotated_y(state, qubit, angle):
    c, s = cos(angle / 2), sin(angle / 2)
    return on_qubit(state, qubit, np.array([[c, -s], [s, c]]))


# Flips one qubit where another one is set.
def cnot(state, control, target):
    state = np.moveaxis(state, (control, target), (0, 1))
    state = np.stack([state[0], state[1][::-1]])
    return np.moveaxis(state, (0, 1), (control, target))


def circuit(angles):
    state = np.zeros((2, 2, 2, 2))
    state[0, 0, 0, 0] = 1.0
    for layer in range(len(angles)):
        for qubit in range(SITES):
            state = rotated_y(state, qubit, angles[layer, qubit])
        if layer < len(angles) - 1:
            for qubit in range(SITES - 1):
                state = cnot(state, qubit, qubit + 1)
    return state


# 4 times s.s of two neighbours is twice their exchange less one.
def energy(angles):
    state = circuit(angles)
    total = 0.0
    for qubit in range(SITES - 1):
        total += 0.25 * (2 * np.sum(state * np.swapaxes(state, qubit, qubit + 1)) - np.sum(state * state))
    return total


# The energy that descent finds, and the least one there is.
def ground_state(steps):
    angles = np.sin(12.9898 * np.arange(20.0)).reshape(5, 4)
    m, v = np.zeros((5, 4)), np.zeros((5, 4))
    for step in range(1, steps + 1):
        g = grad(energy)(angles)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        angles = angles - 0.1 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return round(energy(angles), 3), round(-0.25 * (3 + 2 * sqrt(3)), 3)


# 3.6: neural differential equations


def drift(net, x):
    return net["V"] @ np.tanh(net["W"] @ x)


# Adjoint sensitivity: the derivative of the loss by the state runs back, by the pullback of the drift alone.
def ode(net, steps):
    x = np.array([1.0, 0.5])
    for _ in range(steps):
        x = x + 0.05 * drift(net, x)
    return x @ x


def by_adjoint(net, steps):
    xs = [np.array([1.0, 0.5])]
    for k in range(steps):
        xs.append(xs[k] + 0.05 * drift(net, xs[k]))
    back = 2 * xs[steps]
    dW, dV = np.zeros((3, 2)), np.zeros((2, 3))
    for k in range(steps - 1, -1, -1):
        dnet, dx = vjp(drift, net, xs[k])[1](0.05 * back)
        dW, dV, back = dW + dnet["W"], dV + dnet["V"], back + dx
    return dW, dV


def sde_net():
    return {"W": np.array([[0.5, -0.2], [0.1, 0.3], [-0.4, 0.2]]), "V": np.array([[0.3, -0.5, 0.2], [0.1, 0.4, -0.6]])}


def adjoint_error(steps):
    net = sde_net()
    dW, dV = by_adjoint(net, steps)
    whole = grad(ode)(net, steps)
    return np.max(np.abs(dW - whole["W"])) + np.max(np.abs(dV - whole["V"])) < 1e-12


# A stochastic equation, along one path of a Brownian motion that is a given array.
def sde(net, noise, points):
    x = np.array([2.0, 0.0])
    total = 0.0
    for k in range(len(noise)):
        x = x + 0.05 * drift(net, x) + 0.05 * noise[k] * x
        total += np.sum((x - points[k]) ** 2)
    return total / len(noise)


def learn_sde(steps):
    time = 0.05 * np.arange(1.0, 21.0)
    points = np.stack([2 * np.exp(-time) * np.cos(time), -2 * np.exp(-time) * np.sin(time)], axis=1)
    noise = np.sin(78.233 * np.arange(40.0)).reshape(20, 2)
    net = sde_net()
    before = sde(net, noise, points)
    for _ in range(steps):
        by = grad(sde)(net, noise, points)
        net = {name: w - 0.1 * by[name] for name, w in net.items()}
    return round(before, 3), round(sde(net, noise, points), 3)


# Mixed mode: forwards through the simulation, which has two numbers, in reverse through what is around it.
def mixed(p):
    return np.sum(forwarddiff(lambda q: np.array([throw(q[0], q[1], 0.0)]), p * p))


# 1: uses


# An inverse problem: which length has a pendulum of that period?
def period(length):
    angle, speed, time = 0.5, 0.0, 0.0
    while angle > 0.0:
        speed = speed - 0.001 * 9.81 / length * sin(angle)
        angle, time = angle + 0.001 * speed, time + 0.001
    return 4 * (time - angle / speed)


def length_of(wanted):
    length = 1.0
    for _ in range(8):
        value, slope = value_and_grad(period)(length)
        length = length - (value - wanted) / slope
    return length


# Probabilistic programming: the gradient of a log density, along which a step of Hamiltonian Monte Carlo moves.
def log_density(mean, data):
    return -0.5 * np.sum((data - mean) ** 2) - 0.5 * mean**2


def leapfrog(mean, data, steps):
    momentum = 1.0
    energy = lambda mean, momentum: -log_density(mean, data) + 0.5 * momentum**2
    before = energy(mean, momentum)
    for _ in range(steps):
        momentum = momentum + 0.005 * grad(log_density)(mean, data)
        mean = mean + 0.01 * momentum
        momentum = momentum + 0.005 * grad(log_density)(mean, data)
    return abs(energy(mean, momentum) - before) < 1e-3


# A surrogate: a polynomial in the place of the simulation, by least squares.
def surrogate(weight):
    samples = np.linspace(1.0, 4.0, 7)
    thrown = np.array([throw(w, 0.7, 0.0) for w in samples])
    powers = lambda w: np.stack([w**0, w, w**2], axis=-1)
    found = np.linalg.solve(powers(samples).T @ powers(samples), powers(samples).T @ thrown)
    return powers(weight) @ found


def surrogate_error(weight):
    return abs(surrogate(weight) - throw(weight, 0.7, 0.0)) < 0.02 * throw(weight, 0.7, 0.0)


# Code beside the paper: sums over indices, whose order is known when the program is compiled


def einsum_product(a):
    return np.einsum("ik,kj->ij", a, a)


def einsum_sums(a):
    return np.einsum("ki->i", a), np.einsum("ik->i", a)


def einsum_outer(v):
    return np.einsum("i,j->ij", v, v)


def einsum_loss(a):
    return np.sum(einsum_product(a))


def five_times(x):
    return np.einsum(",->", x, 5.0)


def slope_of_five_times(x):
    return grad(five_times)(x)
