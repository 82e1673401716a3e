// The library of icons, loaded when the first one is drawn: most tests that import the app draw none. Its other form
// declares icons called Map and Infinity in the scope of the built-ins of that name.
Object.defineProperty(exports, 'icons', {
  enumerable: true,
  get: () => require('../../node_modules/lucide/dist/umd/lucide.js').icons,
});
