# Methods of strings, which are constants of the program.

def _str_join(separator, parts):
    result = ""
    for i, part in enumerate(parts):
        result = part if i == 0 else result + separator + part
    return result
def _str_split(text, separator=None):
    if separator is not None and len(separator) != 1:
        return refuse("a string is split at spaces or at one character")
    words, word = (), ""
    for c in text:
        if c == separator or separator is None and c in " \t\r\n":
            if separator is not None or word != "":
                words = words + (word,)
            word = ""
        else:
            word = word + c
    return [*words, word] if separator is not None or word != "" else [*words]
def _str_startswith(text, start):
    return text[:len(start)] == start
def _str_endswith(text, end):
    return len(end) <= len(text) and text[len(text) - len(end):] == end
def _str_find(text, part):
    for i in range(len(text) - len(part) + 1):
        if text[i:i + len(part)] == part:
            return i
    return -1
def _str_replace(text, old, new):
    if old == "":
        return refuse("nothing is replaced by nothing in a string")
    result, kept = "", 0
    for i in range(len(text)):
        if i >= kept:
            found = text[i:i + len(old)] == old
            result = result + (new if found else text[i])
            kept = i + len(old) if found else i + 1
    return result
def _str_lstrip(text, chars=None):
    for i in range(len(text)):
        if text[i] not in (" \t\r\n" if chars is None else chars):
            return text[i:]
    return ""
def _str_rstrip(text, chars=None):
    for i in range(len(text), 0, -1):
        if text[i - 1] not in (" \t\r\n" if chars is None else chars):
            return text[:i]
    return ""
def _str_strip(text, chars=None):
    return _str_lstrip(_str_rstrip(text, chars), chars)
def _letters(text, known, new):
    result = ""
    for c in text:
        if c > "~":
            return refuse("upper and lower case are those of ASCII")
        result = result + (new[_str_find(known, c)] if c in known else c)
    return result
def _str_lower(text):
    return _letters(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
def _str_upper(text):
    return _letters(text, "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
def _str_isalpha(text):
    return text != "" and _all_of([c in "abcdefghijklmnopqrstuvwxyz" for c in _str_lower(text)])
def _str_isdigit(text):
    return text != "" and _all_of([c in "0123456789" for c in text])
