// Calls functions of `sales.sam` as a package of npm. In this folder:
//
//   cleave build ../sales.sam --npm node_modules/sales
//   node main.mjs
import { mean, summary } from "sales";

const sales = [
  { customer: "Ada", pieces: 2, price: 30 },
  { customer: "Grace", pieces: 1, price: 75 },
  { customer: "Barbara", pieces: 5, price: 4 },
];
const { text, largest } = summary(sales);
console.log(text);
console.log(`the largest: ${largest.customer}, ${largest.pieces} of ${largest.price}`);
try {
  mean([]);
} catch (error) {
  console.log(`error: ${error.message}`);
}
console.log(`mean: ${mean(sales)}`);
