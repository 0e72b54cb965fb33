// The same where TypeScript knows `using`.
import { adder } from "./functions.mjs";

export const two = (): number => {
  using add = adder(1);
  return add(1);
};
