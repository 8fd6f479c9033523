import { type EventType, permissionsOfEvent, type LiveTopic, liveTopics } from '@tocsin/contract/live'
import type { LiveConnection } from './connection.ts'

const names = Object.keys(liveTopics) as LiveTopic[] // its keys are its type
const topicOf = new Map<EventType, LiveTopic>(
  names.flatMap((name) => liveTopics[name].events.map((type): [EventType, LiveTopic] => [type, name])),
)

/**
 * Decides whether a socket receives a visible event. An event with a topic is only for sockets that follow it, and a
 * socket never sends what the user's calls would be denied.
 */
export const shouldDeliver = ({ topics, actor }: LiveConnection, type: EventType): boolean => {
  const needs = permissionsOfEvent(type)
  if (needs && !needs.some((permission) => actor?.permissions.has(permission))) return false
  const topic = topicOf.get(type)
  if (topic === undefined) return true
  return topics.has(topic) && actor?.permissions.has(liveTopics[topic].permission) === true
}
