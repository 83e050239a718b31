import { rushOnLaptop } from "./laptop-rush.ts";
const [people="600", seats="100", through="http"] = process.argv.slice(2);
console.log(JSON.stringify(await rushOnLaptop({people:+people, seats:+seats, through: through as "http"})));
process.exit(0);
