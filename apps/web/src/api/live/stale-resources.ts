import type { EventType } from '@tocsin/contract/live'

/** In place of a resource: all of them. */
export const EVERYTHING = '*'

/** What each event makes stale. Adding an event is one line. */
export const staleResources: Record<EventType, readonly string[]> = {
  'alarm.raised': ['/warn/record', '/warn/log', '/insight/home'],
  'alarm.changed': ['/warn/record', '/warn/log', '/insight/home'],
  'alarm.again': ['/warn/record', '/warn/log'],
  'device.status': ['/device/device', '/device/school-device', '/insight/home'],
  'device.outbox': ['/device/command'],
  'device.changed': ['/device/device', '/device/school-device', '/insight/home'],
  'device.command': ['/device/command'],
  'model.changed': ['/device/model'],
  'test.changed': ['/device/test', '/device/school-device'],
  'rule.changed': ['/warn/rule'],
  // Whoever hears it may see other rows by now, of whatever kind.
  'permission.changed': [EVERYTHING],
  'session.ended': ['/system/auth'],
  'notice.published': ['/system/notice', '/announcement/announcement'],
  'notice.revoked': ['/system/notice', '/announcement/announcement'],
  // What everybody is told of the site comes with his permissions.
  'config.changed': ['/infra/config', '/system/auth'],
  'job.changed': ['/system/job'],
  // Heard by the test page's own connection only.
  'demo.talk': ['/demo/talk'],
  'dict.changed': ['/system/dict-data', '/system/dict-type'],
}
