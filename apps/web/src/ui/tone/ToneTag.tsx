import { Tag } from 'antd'
import type { ReactNode } from 'react'
import './tones.css'

/** Who must act: nobody, somebody next, somebody does, nothing more to do, something failed, or an alarm. */
export type Tone = 'calm' | 'wait' | 'busy' | 'done' | 'fault' | 'alarm'
export type TagTone = Tone | `level-${1 | 2 | 3 | 4}`

/** A state as tone, icon and word; the style sheet adds the icon of the tone. */
export const ToneTag = ({ tone, children }: { tone: TagTone; children: ReactNode }) => (
  <Tag variant="filled" className={`state-tag tone-${tone}`}>
    {children}
  </Tag>
)
