import statistics as st
import string
xs, ys = [1, 2, 3, 4.5], [2, 4.1, 5.9, 8]
print(st.geometric_mean([1, 2, 4]), st.geometric_mean([54, 24, 36]), st.harmonic_mean([40, 60]), st.harmonic_mean([40, 60], weights=[5, 30]), st.harmonic_mean([2]), st.harmonic_mean([1, 0]), st.harmonic_mean([2.5, 3, 10]), st.harmonic_mean([1, 2], [0, 3]), st.harmonic_mean([True, 3]))
print(st.covariance(xs, ys), st.correlation(xs, ys), st.linear_regression(xs, ys), st.linear_regression(xs, ys, proportional=True), st.linear_regression(xs, ys).slope, type(st.linear_regression(xs, ys)))
print(st.median_grouped([52, 52, 53, 54]), st.median_grouped([1, 3, 3, 5, 7], interval=1), st.median_grouped([1, 3, 3, 5, 7], interval=2), st.median_grouped([1]), st.median_grouped([1.5, 2.5, 2.5], 3))
slope, intercept = st.linear_regression([1971, 1975, 1979, 1982, 1983], [1, 2, 3, 4, 5])
print(slope, intercept, round(slope * 2019 + intercept))
print(st.harmonic_mean([float("inf"), 1]), st.harmonic_mean([1e300, 1e-300]), st.geometric_mean([1e300, 1e-300, 7]), st.correlation([1, 2, 3], [3, 2, 1]))
for f in [lambda: st.geometric_mean([]), lambda: st.geometric_mean([0, 1]), lambda: st.geometric_mean([-1]), lambda: st.geometric_mean(["a"]), lambda: st.harmonic_mean([]), lambda: st.harmonic_mean([-1, 2]), lambda: st.harmonic_mean([-1]), lambda: st.harmonic_mean([1], [1, 2]), lambda: st.harmonic_mean([1, 2], [0, 0]), lambda: st.harmonic_mean([1, 2], [-1, 2]), lambda: st.covariance([1], [2]), lambda: st.covariance([1, 2], [1]), lambda: st.correlation([1, 1], [1, 2]), lambda: st.linear_regression([1, 1], [2, 3]), lambda: st.linear_regression([1, 2], [2]), lambda: st.median_grouped([]), lambda: st.covariance(x=[1], y=[2]), lambda: st.covariance((i for i in [1, 2]), [1, 2]), lambda: st.covariance(["a", 1], [1, 2]), lambda: st.correlation([1, 2]), lambda: string.capwords(3), lambda: string.capwords(), lambda: string.capwords("a", 3), lambda: string.capwords("x y", ""), lambda: string.capwords(b"a b"), lambda: string.capwords(b"a b", b" ")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(string.capwords("  hello  wORLD foo"), string.capwords("a-b-cD", "-"), string.capwords(s="q r", sep=None), string.capwords("ﬁ ǆ"))
