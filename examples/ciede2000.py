# The difference of two colours as people see it: CIEDE2000, from RGB over XYZ to Lab, and its gradient, as in the paper on Zygote
# (Innes 2019, "Don't unroll adjoint"): how the difference between red and green changes with the green one.
#
#   $ gradus run examples/ciede2000.py red_and_green
#   86.60823745353737
#
#   $ gradus run examples/ciede2000.py gradient
#   RGB(r=-1.7697550255776395, g=28.88472346320348, b=-0.04479395903882061)
#
# The formula is that of Sharma, Wu and Dalal (2005), the white that of D65. It has no derivative where a colour is grey, whose hue is
# that of none and whose chroma a square root at zero, and where both colours are equal. Each of these places is an arm that gives
# its value, so there its derivative is zero.
#
#   $ gradus run examples/ciede2000.py gradient_of_greys 0.5 0.5
#   (RGB(r=0.0, g=0.0, b=0.0), RGB(r=0.0, g=0.0, b=0.0))

from dataclasses import dataclass
from math import atan2, cbrt, cos, exp, pi, sin, sqrt

from gradus import grad


@dataclass(frozen=True)
class XYZ:
    x: float
    y: float
    z: float

    def __truediv__(self, white):
        return XYZ(self.x / white.x, self.y / white.y, self.z / white.z)

    def lab(self):
        relative = self / XYZ(0.95047, 1.0, 1.08883)
        fx = lightness_of(relative.x)
        fy = lightness_of(relative.y)
        fz = lightness_of(relative.z)
        return Lab(116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


@dataclass(frozen=True)
class RGB:
    r: float
    g: float
    b: float

    def xyz(self):
        r, g, b = [linear(part) for part in (self.r, self.g, self.b)]
        x = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b
        y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
        z = 0.0193339 * r + 0.1191920 * g + 0.9503041 * b
        return XYZ(x, y, z)


@dataclass(frozen=True)
class Lab:
    l: float
    a: float
    b: float

    @property
    def chroma(self):
        return root(self.a ** 2 + self.b ** 2)

    @property
    def hue(self):
        """In degrees, from 0 to 360."""
        if self.a == 0 and self.b == 0:
            return 0.0
        angle = degrees(atan2(self.b, self.a))
        return angle + 360 if angle < 0 else angle

    def stretched(self, g):
        return Lab(self.l, self.a * (1 + g), self.b)


def linear(v):
    """What a value of sRGB means in light."""
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def lightness_of(v):
    return cbrt(v) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116


def root(x):
    return sqrt(x) if x > 0 else 0.0


def degrees(x):
    return x * 180 / pi


def sine(x):
    return sin(x * pi / 180)


def cosine(x):
    return cos(x * pi / 180)


def saturation(chroma):
    """How much a chroma is beyond 25."""
    return root(chroma ** 7 / (chroma ** 7 + 25 ** 7))


def mean_hue(p, q):
    """Half way between two hues, the short way round; of a grey and another colour, that of the other."""
    if p.chroma == 0 or q.chroma == 0:
        return p.hue + q.hue
    mean = (p.hue + q.hue) / 2
    if abs(p.hue - q.hue) <= 180:
        return mean
    return mean + 180 if mean < 180 else mean - 180


def hue_difference(p, q):
    if p.chroma == 0 or q.chroma == 0:
        return 0.0
    difference = q.hue - p.hue
    if difference > 180:
        difference = difference - 360
    elif difference < -180:
        difference = difference + 360
    return 2 * root(p.chroma * q.chroma) * sine(difference / 2)


def ciede2000(p, q):
    """Between two colours of Lab."""
    g = 0.5 * (1 - saturation((p.chroma + q.chroma) / 2))
    p = p.stretched(g)
    q = q.stretched(g)

    lightness = (p.l + q.l) / 2
    chroma = (p.chroma + q.chroma) / 2
    hue = mean_hue(p, q)

    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.20 * cosine(4 * hue - 63)
    l_scale = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    c_scale = 1 + 0.045 * chroma
    h_scale = 1 + 0.015 * chroma * t
    rotation = -sine(60 * exp(-(((hue - 275) / 25) ** 2))) * 2 * saturation(chroma)

    dl = (q.l - p.l) / l_scale
    dc = (q.chroma - p.chroma) / c_scale
    dh = hue_difference(p, q) / h_scale
    return root(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh)


def colordiff(p, q):
    """Between two colours of RGB, whose parts go from 0 to 1."""
    return ciede2000(p.xyz().lab(), q.xyz().lab())


def red_and_green():
    return colordiff(RGB(1.0, 0.0, 0.0), RGB(0.0, 1.0, 0.0))


def gradient():
    """With respect to the green one: a colour."""
    return grad(colordiff, 1)(RGB(1.0, 0.0, 0.0), RGB(0.0, 1.0, 0.0))


def gradient_of_greys(p, q):
    return grad(colordiff, (0, 1))(RGB(p, p, p), RGB(q, q, q))
