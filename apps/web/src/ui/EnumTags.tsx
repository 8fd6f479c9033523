import { Flex, Tag } from 'antd'
import type { EnumKind } from '#texts/enum-labels.ts'
import { EnumLabel } from './EnumTag.tsx'

/** One tag for each value of a list. */
export const EnumTags = ({ kind, values }: { kind: EnumKind; values: readonly string[] }) =>
  values.length === 0 ? (
    '–'
  ) : (
    <Flex wrap gap={4}>
      {values.map((value) => (
        <Tag key={value} style={{ margin: 0 }}>
          <EnumLabel kind={kind} value={value} />
        </Tag>
      ))}
    </Flex>
  )
