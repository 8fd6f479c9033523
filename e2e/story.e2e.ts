import { test } from 'vitest'
import { browserTest } from './setup/browser-test.ts'
import { tellStory } from './story.ts'

const site = browserTest({ language: 'zh-cn', theme: 'light' })

test('leads one alarm from the press to the review with five people at their screens, in Chinese', () =>
  tellStory(site))
