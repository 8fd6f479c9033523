import { z } from 'zod'
import { Id } from '../../codecs.ts'

const node = {
  id: Id,
  /** 0 for an entry of the top level. */
  parentId: z.int().min(0),
  type: z.enum(['DIR', 'MENU', 'LINK']),
  name: z.string(),
  nameEn: z.string(),
  path: z.string(),
  component: z.string().nullable(),
  componentName: z.string().nullable(),
  redirect: z.string().nullable(),
  icon: z.string(),
  visible: z.boolean(),
  keepAlive: z.boolean(),
  alwaysShow: z.boolean(),
}

/** An entry of the menu; routes are built from the tree. `children` is null for a leaf, never empty (wire 1.1). */
export type MenuNode = z.output<z.ZodObject<typeof node, z.core.$strict>> & { children: MenuNode[] | null }

export const MenuNode: z.ZodType<MenuNode, MenuNode> = z.strictObject({
  ...node,
  get children() {
    return z.array(MenuNode).nullable()
  },
})
