/*
 * Calls functions of `sales.sam`. In this folder:
 *
 *   cleave build ../sales.sam --lib --target native
 *   cc main.c sales.a -o main && ./main          or: cc main.c ./sales.so -o main && ./main
 */
#include "sales.h"

#include <stdio.h>

static sales_string_t of(const char *text) {
    sales_string_t string = {text, 0};
    while (text[string.length]) string.length++;
    return string;
}

int main(void) {
    sales_sale_t sales[] = {{of("Ada"), 2, 30}, {of("Grace"), 1, 75}, {of("Barbara"), 5, 4}};
    sales_summary_t summary;
    if (sales_summary(sales, 3, &summary) != SALES_OK) {
        fprintf(stderr, "%s\n", sales_error());
        return 1;
    }
    printf("%.*s\n", (int)summary.text.length, summary.text.data);
    if (summary.largest.is_some) {
        sales_sale_t largest = summary.largest.value;
        printf("the largest: %.*s, %d of %d\n", (int)largest.customer.length, largest.customer.data, largest.pieces,
               largest.price);
    }
    sales_free();

    int32_t mean;
    if (sales_mean(NULL, 0, &mean) != SALES_OK) printf("error: %s\n", sales_error());
    /* The library goes on after an error. */
    if (sales_mean(sales, 3, &mean) == SALES_OK) printf("mean: %d\n", mean);
    return 0;
}
