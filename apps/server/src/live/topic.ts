import { eventPermissions, type EventType, type LiveTopic, liveTopics } from '@tocsin/contract/live'
import type { LiveConnection } from './connection.ts'

const names = Object.keys(liveTopics) as LiveTopic[] // its keys are its type
const topicOf = new Map<EventType, LiveTopic>(
  names.flatMap((name) => liveTopics[name].events.map((type): [EventType, LiveTopic] => [type, name])),
)

/**
 * Whether this socket is told of such an event in sight: one with a topic is only for those who follow it, and what his
 * calls would refuse him his socket does not tell.
 */
export const shouldDeliver = ({ topics, actor }: LiveConnection, type: EventType): boolean => {
  const needs = eventPermissions[type]
  if (needs && !needs.some((permission) => actor?.permissions.has(permission))) return false
  const topic = topicOf.get(type)
  if (topic === undefined) return true
  return topics.has(topic) && actor?.permissions.has(liveTopics[topic].permission) === true
}
