"""Reads QR codes as a phone does: what a terminal or a picture shows goes through a scanner that knows nothing of ours."""

import ctypes
import ctypes.util
import struct
import zlib

QUIET = 4


def scanned(rows, scale=4):
    """What a scanner reads from rows of modules, true for dark; None if it reads nothing."""
    name = ctypes.util.find_library("zbar")
    if not name:
        raise AssertionError("a QR code can't be scanned: there is no library zbar (Debian: libzbar0)")
    zbar = ctypes.CDLL(name)
    for function in ("zbar_image_scanner_create", "zbar_image_create", "zbar_image_first_symbol"):
        getattr(zbar, function).restype = ctypes.c_void_p
    zbar.zbar_symbol_get_data.restype = ctypes.c_char_p
    width, height = len(rows[0]) * scale, len(rows) * scale
    pixels = b"".join(bytes(0 if dark else 255 for dark in row for _ in range(scale)) * scale for row in rows)
    scanner, image = ctypes.c_void_p(zbar.zbar_image_scanner_create()), ctypes.c_void_p(zbar.zbar_image_create())
    try:
        zbar.zbar_image_set_format(image, ctypes.c_ulong(int.from_bytes(b"Y800", "little")))
        zbar.zbar_image_set_size(image, width, height)
        zbar.zbar_image_set_data(image, pixels, ctypes.c_ulong(len(pixels)), None)
        zbar.zbar_scan_image(scanner, image)
        symbol = zbar.zbar_image_first_symbol(image)
        return zbar.zbar_symbol_get_data(ctypes.c_void_p(symbol)).decode() if symbol else None
    finally:
        zbar.zbar_image_destroy(image)
        zbar.zbar_image_scanner_destroy(scanner)


def from_terminal(lines, light_ink=True):
    """The modules that lines of half blocks show; the ink of the text is light on a dark terminal."""
    halves = {" ": (False, False), "\u2580": (True, False), "\u2584": (False, True), "\u2588": (True, True)}
    rows = []
    for line in lines:
        inked = [halves[character] for character in line]
        for half in (0, 1):
            rows.append([pair[half] != light_ink for pair in inked])
    return rows


def from_png(content, scale):
    """The modules of a picture, each a square of that many pixels."""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError("no PNG picture")
    place, packed, palette = 8, b"", None
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place:place + 8])
        chunk = content[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
        elif kind == b"PLTE":
            palette = [chunk[entry] for entry in range(0, length, 3)]
        elif kind == b"IDAT":
            packed += chunk
        place += length + 12
    if color not in (0, 3):
        raise AssertionError("the picture has colour type %d" % color)
    size = (width * depth + 7) // 8
    data, rows, former = zlib.decompress(packed), [], bytes(size)
    for y in range(height):
        line = unfiltered(data[y * (size + 1)], data[y * (size + 1) + 1:(y + 1) * (size + 1)], former)
        former = line
        if y % scale == scale // 2:
            values = [line[x * depth // 8] >> (8 - depth - x * depth % 8) & ((1 << depth) - 1)
                      for x in range(scale // 2, width, scale)]
            rows.append([(palette[value] if palette else value) == 0 for value in values])
    return rows


def unfiltered(kind, line, former):
    """A line of a picture of less than two bytes a pixel without its filter (PNG, section 9)."""
    made = bytearray()
    for place, value in enumerate(line):
        left, up = made[place - 1] if place else 0, former[place]
        corner = former[place - 1] if place else 0
        if kind == 4:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        made.append((value + guess) & 255)
    return bytes(made)


def require_quiet(rows):
    """Requires four light modules around a code, and dark ones in the first row and column behind them."""
    size = len(rows[0])
    around = [rows[y][x] for y in range(len(rows)) for x in range(size)
              if min(y, x, size - 1 - x) < QUIET or y >= size - QUIET]
    if any(around):
        raise AssertionError("the quiet zone is not light")
    if not (rows[QUIET][QUIET] and rows[QUIET][size - 1 - QUIET] and rows[size - 1 - QUIET][QUIET]):
        raise AssertionError("the quiet zone is not of four modules")
