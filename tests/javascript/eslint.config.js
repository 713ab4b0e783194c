// What live_figure.js is read for. Types are tsc's: see tsconfig.json.
import js from "@eslint/js";

const BROWSER = [
  "Blob", "DecompressionStream", "Element", "MutationObserver", "ResizeObserver", "Response", "URL", "atob",
  "document", "fetch", "navigator", "setTimeout",
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 120 }],
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-use-before-define": ["error", { functions: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
