import type { NamedEventType } from '@tocsin/contract/live'

/** In place of a resource: all of them. */
export const EVERYTHING = '*'

/**
 * Resources whose answer is megabytes: read at most once in this time, since a district that drops off sends an event for
 * each device.
 */
export const pausesMs: Readonly<Record<string, number>> = { '/insight/map-device': 10_000 }

/** What each event makes stale. Adding an event is one line. */
export const staleResources: Record<NamedEventType, readonly string[]> = {
  'alarm.raised': [
    '/warn/record',
    '/warn/assignment',
    '/warn/log',
    '/insight/home',
    '/notify/silence',
    '/insight/map-record',
  ],
  'alarm.changed': [
    '/warn/record',
    '/warn/assignment',
    '/warn/log',
    '/warn/outage',
    '/insight/home',
    '/notify/silence',
    '/insight/map-record',
  ],
  'alarm.again': ['/warn/record', '/warn/assignment', '/warn/log'],
  'assignment.changed': ['/warn/assignment', '/warn/track', '/warn/surroundings'],
  'device.status': [
    '/device/device',
    '/device/school-device',
    '/school/floor-plan',
    '/insight/home',
    '/insight/map-device',
  ],
  'device.outbox': ['/device/command'],
  'device.changed': [
    '/device/device',
    '/device/school-device',
    '/school/floor-plan',
    '/insight/home',
    '/insight/home-start',
    '/insight/map',
    '/insight/map-device',
  ],
  'device.command': ['/device/command'],
  'model.changed': ['/device/model', '/insight/home-start'],
  'employee.changed': ['/school/employee'],
  'maintenance.changed': ['/device/maintenance'],
  'procedure.changed': ['/device/procedure', '/device/procedure-run'],
  'rollout.changed': ['/device/rollout'],
  'run.changed': ['/device/procedure-run'],
  'readiness.changed': [
    '/insight/readiness',
    '/insight/readiness-weights',
    '/device/device',
    '/device/school-device',
    '/school/school',
    '/insight/map',
  ],
  'weights.changed': ['/insight/readiness-weights'],
  'test.changed': ['/device/test', '/device/school-device', '/insight/home-start'],
  'post.changed': ['/security/post', '/security/headcount', '/security/shift'],
  'shift.changed': ['/security/shift', '/security/shift-swap', '/security/post', '/security/headcount'],
  'situation.changed': ['/police/situation', '/police/unit', '/police/station', '/insight/home-police', '/insight/map'],
  'situation.again': ['/police/situation'],
  'unit.changed': ['/police/unit', '/police/situation', '/police/station', '/insight/home-police', '/insight/map'],
  'station.changed': ['/police/station', '/insight/map'],
  'handover.changed': ['/security/handover'],
  'patrol.changed': ['/security/patrol'],
  'calendar.changed': ['/school/calendar'],
  'school.changed': ['/school/school', '/school/place', '/school/floor-plan', '/insight/map', '/insight/home-start'],
  'order.changed': ['/supervise/order', '/insight/home'],
  'report.issued': ['/insight/report'],
  'announcement.changed': ['/announcement/announcement'],
  'announcement.published': ['/announcement/mine'],
  'rule.changed': ['/warn/rule'],
  // The receiver may see other rows of any kind from now on.
  'delivery.changed': ['/notify/delivery'],
  'delivery.arrived': ['/notify/my-delivery'],
  'policy.changed': ['/notify/policy'],
  // The receiver may see other rows of any kind from now on.
  'permission.changed': [EVERYTHING],
  'session.ended': ['/system/auth'],
  'notice.published': ['/system/notice'],
  'notice.revoked': ['/system/notice'],
  // Settings for everybody come with the permissions.
  'config.changed': ['/infra/config', '/system/auth'],
  'job.changed': ['/system/job'],
  // Received by the demo page's own connection only.
  'demo.talk': ['/demo/talk'],
  'dict.changed': ['/system/dict-data', '/system/dict-type'],
}
