from graphrank.durations import in_words


def test_one_number_and_its_unit():
    found = [in_words(seconds) for seconds in (0.2, 59, 90, 7200, 90_000)]
    assert found == ["1 s", "59 s", "2 min", "2.0 h", "25 h"]
