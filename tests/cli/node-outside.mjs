let told = 0;
export const sum = (whole, real) => whole + BigInt(real);
export const tell = (number) => { told += Number(number); };
export const all = () => BigInt(told);
