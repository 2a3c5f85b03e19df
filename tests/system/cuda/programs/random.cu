// Generators of curand.h: what they fill has the moments of its distribution, is the same on the
// device and on the host, and goes on from call to call.
#include <curand.h>

#include <algorithm>
#include <vector>

#include "check.h"

#define GOOD(call) CHECK((call) == CURAND_STATUS_SUCCESS)

template <class T>
struct Drawn {
  std::vector<T> values;
  double mean = 0, variance = 0;
};

// Numbers of a generator of the device, after those of one of the host were found to be the same.
template <class T, class Generate>
Drawn<T> Draw(size_t count, double tolerance, Generate generate) {
  curandGenerator_t device, host;
  GOOD(curandCreateGenerator(&device, CURAND_RNG_PSEUDO_DEFAULT));
  GOOD(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT));
  GOOD(curandSetPseudoRandomGeneratorSeed(device, 42));
  GOOD(curandSetPseudoRandomGeneratorSeed(host, 42));
  T* buffer;
  OK(cudaMalloc(&buffer, count * sizeof(T)));
  GOOD(generate(device, buffer));
  Drawn<T> drawn;
  drawn.values.resize(count);
  OK(cudaMemcpy(drawn.values.data(), buffer, count * sizeof(T), cudaMemcpyDeviceToHost));
  std::vector<T> other(count);
  GOOD(generate(host, other.data()));
  for (size_t i = 0; i < count; ++i) {
    const double x = drawn.values[i], y = other[i];
    CHECK(x - y <= tolerance && y - x <= tolerance);
    drawn.mean += x / count;
    drawn.variance += x * x / count;
  }
  drawn.variance -= drawn.mean * drawn.mean;
  OK(cudaFree(buffer));
  GOOD(curandDestroyGenerator(device));
  GOOD(curandDestroyGenerator(host));
  return drawn;
}
bool Near(double a, double b, double tolerance) { return a > b - tolerance && a < b + tolerance; }

int main() {
  const size_t n = 4000;
  const auto words = Draw<unsigned>(n, 0, [=](auto g, auto* p) { return curandGenerate(g, p, n); });
  // Random123's first block for the key 42, by the functions that its published vectors check.
  const curandStatePhilox4_32_10_t state = [] {
    curandStatePhilox4_32_10_t s;
    curand_init(42, 0, 0, &s);
    return s;
  }();
  CHECK(words.values[0] == state.output.x && words.values[3] == state.output.w);
  CHECK(Near(words.mean, 2147483648.0, 9e7));

  const auto uniform =
      Draw<float>(n, 0, [=](auto g, auto* p) { return curandGenerateUniform(g, p, n); });
  CHECK(Near(uniform.mean, 0.5, 0.022) && Near(uniform.variance, 1.0 / 12, 0.006));
  CHECK(*std::min_element(uniform.values.begin(), uniform.values.end()) > 0);
  CHECK(*std::max_element(uniform.values.begin(), uniform.values.end()) <= 1);
  const auto odd = Draw<double>(
      n - 1, 0, [=](auto g, auto* p) { return curandGenerateUniformDouble(g, p, n - 1); });
  CHECK(Near(odd.mean, 0.5, 0.022) && Near(odd.variance, 1.0 / 12, 0.006));
  const auto normal =
      Draw<float>(n, 1e-4, [=](auto g, auto* p) { return curandGenerateNormal(g, p, n, 3, 2); });
  CHECK(Near(normal.mean, 3, 0.13) && Near(normal.variance, 4, 0.35));
  const auto exact = Draw<double>(
      n, 1e-12, [=](auto g, auto* p) { return curandGenerateNormalDouble(g, p, n, -1, 0.5); });
  CHECK(Near(exact.mean, -1, 0.035) && Near(exact.variance, 0.25, 0.022));
  const auto logarithm = Draw<double>(
      n, 1e-12, [=](auto g, auto* p) { return curandGenerateLogNormalDouble(g, p, n, 0, 0.5); });
  CHECK(Near(logarithm.mean, 1.1331, 0.045));  // exp(0.5^2 / 2)
  const auto poisson =
      Draw<unsigned>(n, 0, [=](auto g, auto* p) { return curandGeneratePoisson(g, p, n, 4); });
  CHECK(Near(poisson.mean, 4, 0.14) && Near(poisson.variance, 4, 0.45));

  // A second call goes on where the first has ended; an offset is as many words.
  curandGenerator_t one;
  unsigned parts[16];
  GOOD(curandCreateGeneratorHost(&one, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  GOOD(curandSetPseudoRandomGeneratorSeed(one, 42));
  GOOD(curandGenerate(one, parts, 8));
  GOOD(curandGenerate(one, parts + 8, 8));
  CHECK(std::equal(parts, parts + 16, words.values.begin()));
  GOOD(curandSetGeneratorOffset(one, 4));
  GOOD(curandGenerate(one, parts, 4));
  CHECK(std::equal(parts, parts + 4, words.values.begin() + 4));

  float three[3];
  CHECK(curandGenerateNormal(one, three, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGeneratePoisson(one, parts, 4, -1) == CURAND_STATUS_OUT_OF_RANGE);
  curandGenerator_t quasi;
  CHECK(curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGenerate(nullptr, parts, 4) == CURAND_STATUS_NOT_INITIALIZED);
  GOOD(curandDestroyGenerator(one));
  CHECK(curandGenerate(one, parts, 4) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandDestroyGenerator(one) == CURAND_STATUS_NOT_INITIALIZED);
  printf("random: good\n");
}
