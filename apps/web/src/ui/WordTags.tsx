import { Flex, Tag } from 'antd'
import type { WordKind } from '#texts/words.ts'
import { Word } from './StateTag.tsx'

/** A list of words, one tag each. */
export const WordTags = ({ kind, values }: { kind: WordKind; values: readonly string[] }) =>
  values.length === 0 ? (
    '—'
  ) : (
    <Flex wrap gap={4}>
      {values.map((value) => (
        <Tag key={value} style={{ margin: 0 }}>
          <Word kind={kind} value={value} />
        </Tag>
      ))}
    </Flex>
  )
