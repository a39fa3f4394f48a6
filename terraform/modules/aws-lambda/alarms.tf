locals {
  alarms = {
    errors = {
      description = "Invocations of ${var.name} fail: crashes and timeouts"
      metric      = "Errors"
      statistic   = "Sum"
      percentile  = null
      threshold   = 1
    }
    answers-5xx = {
      description = "${var.name} answers 5xx: overloaded, or its database is gone"
      metric      = "Url5xxCount"
      statistic   = "Sum"
      percentile  = null
      threshold   = 5
    }
    throttles = {
      description = "Lambda refuses requests: more instances than reserved_concurrency allows would be needed"
      metric      = "Throttles"
      statistic   = "Sum"
      percentile  = null
      threshold   = 1
    }
    duration = {
      description = "One in a hundred requests takes longer than ${var.alarm_duration_p99_ms} ms"
      metric      = "Duration"
      statistic   = null
      percentile  = "p99"
      threshold   = var.alarm_duration_p99_ms
    }
    concurrency = {
      description = "Four fifths of the ${var.reserved_concurrency} instances work at once"
      metric      = "ConcurrentExecutions"
      statistic   = "Maximum"
      percentile  = null
      threshold   = ceil(var.reserved_concurrency * 0.8)
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "this" {
  for_each = local.alarms

  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  namespace           = "AWS/Lambda"
  metric_name         = each.value.metric
  dimensions          = { FunctionName = aws_lambda_function.this.function_name }
  statistic           = each.value.statistic
  extended_statistic  = each.value.percentile
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = each.value.threshold
  period              = 60
  evaluation_periods  = 5
  datapoints_to_alarm = 2
  # A function without calls is not broken.
  treat_missing_data = "notBreaching"
  alarm_actions      = var.alarm_topic_arns
  ok_actions         = var.alarm_topic_arns
  tags               = var.tags
}
