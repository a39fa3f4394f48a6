package dev.seatfast.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.vertx.http.runtime.filters.Filter;
import io.quarkus.vertx.http.runtime.filters.Filters;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterOrderTest {

  @Test
  void filtersSeeARequestInTheOrderInWhichTheyAreNamed() {
    List<FilterOrder> places = Arrays.asList(FilterOrder.values());
    Filters filters = new Filters();
    places.forEach(place -> place.register(filters, context -> {}));
    List<Integer> priorities = filters.getFilters().stream().map(Filter::getPriority).toList();
    assertEquals(
        priorities.stream().distinct().sorted(Comparator.reverseOrder()).toList(), priorities);
  }
}
