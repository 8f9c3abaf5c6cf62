/* global jest */
// @pulumi/pulumi loads them for providers that are closures. They are loaded once somebody looks into them.
for (const name of ["typescript", "@npmcli/arborist"]) {
  let loaded;
  jest.mock(name, () => new Proxy({}, { get: (_, key) => (loaded ??= jest.requireActual(name))[key] }));
}
