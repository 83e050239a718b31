/**
 * Node has `navigator` since version 21. Amplify takes it for a browser's, and then calculates with `Math.floor`, which
 * is slow in Jest: a sign-in by SRP took ten seconds and more. Outside of tests both ways are as fast.
 */
Reflect.deleteProperty(globalThis, "navigator");
