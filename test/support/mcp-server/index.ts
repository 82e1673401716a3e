/** The scripted server of the Model Context Protocol, for tests of the units and of the browser. */
export type { Behaviour, McpScript, RanCall, RecordedMcpRequest, ScriptedTool } from './script';
export { startMcpServer, type ScriptedMcpServer } from './start-mcp-server';
