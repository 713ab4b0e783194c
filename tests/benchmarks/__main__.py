"""``make bench``: every benchmark, one after the other, each against a named peer in the same run."""

from tests.benchmarks import bench_browser, bench_text

for benchmark in (bench_text, bench_browser):
    benchmark.main()
    print()
