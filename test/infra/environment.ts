/**
 * Leaves out of each synthesis what no test of the stack reads and what takes half of its time: the CDK's own validation
 * of the template, stack traces, and copies of the functions' bundles. `npx cdk synth --quiet` has them all.
 */
process.env.CDK_VALIDATION = "false";
process.env.CDK_DISABLE_STACK_TRACE = "1";
process.env.CDK_CONTEXT_JSON = JSON.stringify({ "aws:cdk:disable-asset-staging": true });

export {};
